// Tables that are asked by names from elsewhere: a path, a word of somebody's source code, a program that an agent calls.

/** What the table itself has under a name; undefined: nothing. Asked in the plain way, every object has a `constructor` and a `toString`. */
export const entryOf = <T>(table: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
