// Mistakes in the dependencies of a list: an entry that does not exist, an entry that depends on itself, a cycle.
import { dependencyCycles, missingDependencies, pathText, type GraphNode } from './graph.ts';
import { isList, isObject, type Mistake } from './read.ts';

type GraphRules<I> = {
  readonly isId: (value: unknown) => value is I;
  /** What `depends_on` may hold for the entry to have a place in the graph; other values are mistakes of the field. */
  readonly isDependency: (value: unknown) => boolean;
  /** Cycles are not a mistake: for questions about them and for their removal. */
  readonly allowCycles?: boolean;
};

/** All of them: first missing entries, then entries that depend on themselves, then cycles. */
export function graphMistakes<I extends string | number>(
  list: readonly unknown[],
  { isId, isDependency, allowCycles = false }: GraphRules<I>,
): readonly Mistake[] {
  const areDependencies = isList(isDependency);
  /** Its place in the graph can be read, whatever else is wrong with the entry. */
  const isNode = (entry: unknown): entry is GraphNode<I> =>
    isObject(entry) &&
    isId(entry['id']) &&
    ((entry['depends_on'] ?? null) === null || areDependencies(entry['depends_on']));
  const nodes = list.filter(isNode);
  const indexOf = new Map(list.map((entry, index) => [isObject(entry) ? entry['id'] : undefined, index]));
  const at = (id: I, place: number) => ({ index: indexOf.get(id) ?? null, field: 'depends_on', place });
  // An entry that is there without a place in the graph: its own mistake is reported.
  const missing = missingDependencies(nodes).filter(({ to }) => !indexOf.has(to));
  const selves = nodes.flatMap(({ id, depends_on: on }) => {
    const place = (on ?? []).indexOf(id);
    return place < 0 ? [] : [{ id, place }];
  });
  const cycles = allowCycles ? [] : dependencyCycles(nodes);
  return [
    ...missing.map(({ from, to, place }): Mistake => ({
      reason: 'dependency-missing',
      params: { feature: String(from), dependency: String(to) },
      ...at(from, place),
    })),
    ...selves.map(({ id, place }): Mistake => ({
      reason: 'dependency-self',
      params: { feature: String(id) },
      ...at(id, place),
    })),
    ...cycles.map(({ path, edge }): Mistake => ({
      reason: 'dependency-cycle',
      params: { feature: String(edge.from), path: pathText(path) },
      ...at(edge.from, edge.place),
    })),
  ];
}
