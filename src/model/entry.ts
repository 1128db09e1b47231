// Lookup in tables by names from outside: a path, a word of source code, a program that an agent calls.

/** The table's own entry; undefined: none. A plain lookup would also find `constructor` and `toString`. */
export const entryOf = <T>(table: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
