// Reads features.json: every mistake at once, each with feature, field, line, column and what is allowed.
import type { Result } from '../../model/result.ts';
import { missing, nameOf, readRecords, type Fields, type Format, type Mistake } from '../records/read.ts';
import type { FieldRule } from '../records/rules.ts';
import { dependencyCycles, missingDependencies, pathText } from './graph.ts';
import { dependenciesOf, FEATURE_FIELDS, FILE_FIELDS, verificationOf } from './schema.ts';
import type { Feature, FeaturesFile } from './schema.ts';

export type ReadRules = {
  readonly requireTestFile: boolean;
  /** Cycles are no mistake: for questions about them and for their removal. */
  readonly allowCycles?: boolean;
};

/** Failure: `backlog-invalid` with `count` and one cause per mistake. */
export const readFeatures = (
  text: string,
  file: string,
  rules: ReadRules = { requireTestFile: true },
): Result<FeaturesFile> => readRecords(text, file, formatOf(rules));

const ruleOf = (name: string): FieldRule | undefined => FEATURE_FIELDS.find((rule) => rule.name === name);

const formatOf = (rules: ReadRules): Format => ({
  list: 'features',
  entry: 'Feature',
  file: FILE_FIELDS,
  fields: FEATURE_FIELDS,
  ofEntry: (fields, index) => (rules.requireTestFile ? testMistakes(fields, index) : []),
  ofList: (list, isSound) =>
    graphMistakes((isSound ? list : list.filter(hasGraphShape)) as readonly Feature[], rules, list),
});

function testMistakes(fields: Fields, index: number): readonly Mistake[] {
  const test = ruleOf('test_file');
  const isMissing = (fields['test_file'] ?? null) === null && verificationOf(fields as Feature) === 'automated';
  return isMissing && test ? [missing({ entry: 'Feature', item: nameOf(fields, index) }, index, test)] : [];
}

const hasGraphShape = (f: unknown): f is Feature => {
  if (typeof f !== 'object' || f === null || Array.isArray(f)) return false;
  const { id, depends_on: on } = f as Feature;
  return ruleOf('id')?.fits(id) === true && ((on ?? null) === null || ruleOf('depends_on')?.fits(on) === true);
};

/** `all`: the list that indexes speak of, where some of its features could not be read. */
function graphMistakes(features: readonly Feature[], rules: ReadRules, all: readonly unknown[]): readonly Mistake[] {
  const into: Mistake[] = [];
  const indexOf = new Map<number, number>();
  for (const [index, f] of all.entries()) {
    const id = (f as Feature | null)?.id;
    if (typeof id === 'number') indexOf.set(id, index);
  }
  const at = (id: number, place: number) => ({ index: indexOf.get(id) ?? null, field: 'depends_on', place });
  for (const { from, to, place } of missingDependencies(features)) {
    if (indexOf.has(to)) continue; // it is there, only broken, and says so itself
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
