// Reads features.json: every mistake at once, each with feature, field, line, column and what is allowed.
import type { Result } from '../../model/result.ts';
import { missing, nameOf, readRecords, type Fields, type Format, type Mistake } from '../records/read.ts';
import { graphMistakes } from '../records/graph-mistakes.ts';
import { FEATURE_FIELDS, FILE_FIELDS, isId, type FeaturesFile } from './schema.ts';

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

const formatOf = ({ requireTestFile, allowCycles = false }: ReadRules): Format =>
  requireTestFile ? (allowCycles ? TESTED_WITH_CYCLES : TESTED) : allowCycles ? WITH_CYCLES : PLAIN;

const format = (requireTestFile: boolean, allowCycles: boolean, stricterThan: readonly Format[] = []): Format => ({
  stricterThan,
  list: 'features',
  entry: 'Feature',
  file: FILE_FIELDS,
  fields: FEATURE_FIELDS,
  ofEntry: (fields, index) => (requireTestFile ? testMistakes(fields, index) : []),
  ofList: (list) => graphMistakes(list, { isId, isDependency: isId, allowCycles }),
});
const WITH_CYCLES = format(false, true);
const PLAIN = format(false, false, [WITH_CYCLES]);
const TESTED_WITH_CYCLES = format(true, true, [WITH_CYCLES]);
const TESTED = format(true, false, [PLAIN, TESTED_WITH_CYCLES, WITH_CYCLES]);

function testMistakes(fields: Fields, index: number): readonly Mistake[] {
  const test = FEATURE_FIELDS.find(({ name }) => name === 'test_file');
  const isMissing =
    (fields['test_file'] ?? null) === null && (fields['verification_type'] ?? 'automated') === 'automated';
  return isMissing && test ? [missing({ entry: 'Feature', item: nameOf(fields, index) }, index, test)] : [];
}
