// Reads features.json: every mistake at once, each with feature, field, line, column and what is allowed.
import type { Result } from '../../model/result.ts';
import {
  missing,
  nameOf,
  readRecords,
  type Fields,
  type Format,
  type Mistake,
  isList,
  isObject,
} from '../records/read.ts';
import { dependencyCycles, missingDependencies, pathText, type GraphNode } from '../records/graph.ts';
import { dependenciesOf, FEATURE_FIELDS, FILE_FIELDS, isId, type FeaturesFile } from './schema.ts';

export type ReadRules = {
  readonly requireTestFile: boolean;
  /** Cycles are not a mistake: for questions about them and for their removal. */
  readonly allowCycles?: boolean;
};

/** Failure: `backlog-invalid` with `count` and one cause per mistake. */
export const readFeatures = (
  text: string,
  file: string,
  rules: ReadRules = { requireTestFile: true },
): Result<FeaturesFile> => readRecords(text, file, formatOf(rules));

const formatOf = (rules: ReadRules): Format => ({
  list: 'features',
  entry: 'Feature',
  file: FILE_FIELDS,
  fields: FEATURE_FIELDS,
  ofEntry: (fields, index) => (rules.requireTestFile ? testMistakes(fields, index) : []),
  ofList: (list) => graphMistakes(list.filter(isNode), rules, list),
});

function testMistakes(fields: Fields, index: number): readonly Mistake[] {
  const test = FEATURE_FIELDS.find(({ name }) => name === 'test_file');
  const isMissing =
    (fields['test_file'] ?? null) === null && (fields['verification_type'] ?? 'automated') === 'automated';
  return isMissing && test ? [missing({ entry: 'Feature', item: nameOf(fields, index) }, index, test)] : [];
}

/** Its place in the graph can be read, whatever else is wrong with the entry. */
const isNode = (entry: unknown): entry is GraphNode<number> =>
  isObject(entry) && isId(entry['id']) && ((entry['depends_on'] ?? null) === null || isIds(entry['depends_on']));
const isIds = isList(isId);

/** `all`: the whole list, to which indexes refer; `features`: those of its entries that have a place in the graph. */
function graphMistakes(
  features: readonly GraphNode<number>[],
  rules: ReadRules,
  all: readonly unknown[],
): readonly Mistake[] {
  const into: Mistake[] = [];
  const indexOf = new Map<number, number>();
  for (const [index, f] of all.entries()) {
    const id = isObject(f) ? f['id'] : undefined;
    if (typeof id === 'number') indexOf.set(id, index);
  }
  const at = (id: number, place: number) => ({ index: indexOf.get(id) ?? null, field: 'depends_on', place });
  for (const { from, to, place } of missingDependencies(features)) {
    if (indexOf.has(to)) continue; // it exists, and its own mistake is reported
    const params = { feature: String(from), dependency: String(to) };
    into.push({ reason: 'dependency-missing', params, ...at(from, place) });
  }
  for (const f of features) {
    const place = dependenciesOf(f).indexOf(f.id);
    if (place >= 0) into.push({ reason: 'dependency-self', params: { feature: String(f.id) }, ...at(f.id, place) });
  }
  for (const { path, edge } of rules.allowCycles ? [] : dependencyCycles(features)) {
    const params = { feature: String(edge.from), path: pathText(path) };
    into.push({ reason: 'dependency-cycle', params, ...at(edge.from, edge.place) });
  }
  return into;
}
