// The dependency graph of a list: dependencies that do not exist, and cycles. No recursion: a list may be long.

type Id = string | number;
/** What the graph needs of an entry. `skipped`: neither null nor absent where the user skipped it. */
export type GraphNode<I extends Id> = {
  readonly id: I;
  readonly depends_on?: readonly I[] | null;
  readonly skipped?: unknown;
};
/** `from` depends on `to` at position `place` of its depends_on. */
type Edge<I extends Id> = { readonly from: I; readonly to: I; readonly place: number };
type CyclePath<I extends Id> = {
  /** First and last id are the same: 20, 21, 20. */
  readonly path: readonly I[];
  /** The edge that closes it. */
  readonly edge: Edge<I>;
};

const dependenciesOf = <I extends Id>({ depends_on: on }: GraphNode<I>): readonly I[] => on ?? [];

/** More cycles than this are not reported one by one. */
const MAX_CYCLES = 50;

export const indexById = <E extends { readonly id: Id }>(entries: readonly E[]): Map<E['id'], E> =>
  new Map(entries.map((entry) => [entry.id, entry]));

/** Edges to entries that do not exist, in file order. */
export function missingDependencies<I extends Id>(entries: readonly GraphNode<I>[]): Edge<I>[] {
  const byId = new Set(entries.map(({ id }) => id));
  const missing: Edge<I>[] = [];
  for (const f of entries) {
    let place = 0;
    for (const to of dependenciesOf(f)) {
      if (!byId.has(to)) missing.push({ from: f.id, to, place });
      place++;
    }
  }
  return missing;
}

/**
 * One cycle per edge that closes one, in file order, at most fifty. An edge from an entry to itself does not count. A skipped entry
 * does not wait for its dependencies, so no cycle leads through it.
 */
export function dependencyCycles<I extends Id>(entries: readonly GraphNode<I>[]): CyclePath<I>[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const done = new Set<I>();
  const cycles: CyclePath<I>[] = [];
  for (const root of entries) {
    if (done.has(root.id)) continue;
    const path: I[] = [];
    const next: number[] = [];
    const placeOnPath = new Map<I, number>();
    const enter = (id: I): void => {
      placeOnPath.set(id, path.length);
      path.push(id);
      next.push(0);
    };
    enter(root.id);
    for (let from = path.at(-1); from !== undefined; from = path.at(-1)) {
      const place = next.at(-1) ?? 0;
      const entry = byId.get(from);
      const waits = entry !== undefined && (entry.skipped ?? null) === null;
      const to = waits ? dependenciesOf(entry)[place] : undefined;
      if (to === undefined) {
        path.pop();
        next.pop();
        placeOnPath.delete(from);
        done.add(from);
        continue;
      }
      next[next.length - 1] = place + 1;
      const start = placeOnPath.get(to);
      if (start !== undefined) {
        if (to !== from) cycles.push({ path: [...path.slice(start), to], edge: { from, to, place } });
        if (cycles.length >= MAX_CYCLES) return cycles;
      } else if (!done.has(to) && byId.has(to)) enter(to);
    }
  }
  return cycles;
}

/** For messages. The middle of a long path is left out. */
export function pathText(path: readonly Id[]): string {
  const shown = path.length <= 20 ? path.map(String) : [...path.slice(0, 10), '…', ...path.slice(-9)].map(String);
  return shown.join(' → ');
}
