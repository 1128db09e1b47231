// Which entries of a list depend on others.

/**
 * The ids of all entries that depend on one of `starts`, directly or through other entries. A start is among them if it depends on another start.
 * No recursion: a list may be long.
 */
export function dependentsIn<Id, E extends { readonly id: Id }>(
  entries: readonly E[],
  dependenciesOf: (entry: E) => readonly Id[],
  starts: Iterable<Id>,
): ReadonlySet<Id> {
  const direct = new Map<Id, Id[]>();
  for (const entry of entries)
    for (const on of dependenciesOf(entry)) {
      const others = direct.get(on);
      if (others === undefined) direct.set(on, [entry.id]);
      else others.push(entry.id);
    }
  const reached = new Set<Id>();
  for (const start of starts) for (const id of direct.get(start) ?? []) reached.add(id);
  // The set grows while it is iterated: each entry is visited once.
  for (const id of reached) for (const next of direct.get(id) ?? []) reached.add(next);
  return reached;
}
