// The dependency graph of features: dependencies that do not exist, and cycles. No recursion: a list may be long.
import { dependenciesOf } from './schema.ts';

/** What the graph needs of a feature. `skipped`: neither null nor absent where the user skipped it. */
export type FeatureNode = {
  readonly id: number;
  readonly depends_on?: readonly number[] | null;
  readonly skipped?: unknown;
};
/** `from` depends on `to` at position `place` of its depends_on. */
type Edge = { readonly from: number; readonly to: number; readonly place: number };
type DependencyCycle = {
  /** First and last id are the same: 20, 21, 20. */
  readonly path: readonly number[];
  /** The edge that closes it. */
  readonly edge: Edge;
};

/** More cycles than this are not reported one by one. */
const MAX_CYCLES = 50;

export const indexById = <F extends FeatureNode>(features: readonly F[]): Map<number, F> =>
  new Map(features.map((feature) => [feature.id, feature]));

/** Edges to features that do not exist, in file order. */
export function missingDependencies(features: readonly FeatureNode[]): Edge[] {
  const byId = indexById(features);
  const missing: Edge[] = [];
  for (const f of features) {
    let place = 0;
    for (const to of dependenciesOf(f)) {
      if (!byId.has(to)) missing.push({ from: f.id, to, place });
      place++;
    }
  }
  return missing;
}

/**
 * One cycle per edge that closes one, in file order, at most fifty. An edge from a feature to itself does not count. A skipped feature
 * does not wait for its dependencies, so no cycle leads through it.
 */
export function dependencyCycles(features: readonly FeatureNode[]): DependencyCycle[] {
  const byId = indexById(features);
  const done = new Set<number>();
  const cycles: DependencyCycle[] = [];
  for (const root of features) {
    if (done.has(root.id)) continue;
    const path: number[] = [];
    const next: number[] = [];
    const placeOnPath = new Map<number, number>();
    const enter = (id: number): void => {
      placeOnPath.set(id, path.length);
      path.push(id);
      next.push(0);
    };
    enter(root.id);
    while (path.length > 0) {
      const from = path.at(-1) ?? 0;
      const place = next.at(-1) ?? 0;
      const feature = byId.get(from);
      const waits = feature !== undefined && (feature.skipped ?? null) === null;
      const to = waits ? dependenciesOf(feature)[place] : undefined;
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
export function pathText(path: readonly number[]): string {
  const shown = path.length <= 20 ? path.map(String) : [...path.slice(0, 10), '…', ...path.slice(-9)].map(String);
  return shown.join(' → ');
}
