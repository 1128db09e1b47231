// `.harness/features.json`: the features of a mission. Types and the rule of each field; names are the file's own. Unknown fields are allowed
// and survive.
import type { Failing, Override, Skipped } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import type { Result } from '../../model/result.ts';
import {
  isAtLeast,
  isFilled,
  isInsidePath,
  isList,
  isObject,
  isOneOf,
  isText,
  isWord,
  quoted,
  readRecords,
  rule,
  type FieldRule,
  type Format,
} from '../records/read.ts';
import { graphMistakes } from '../records/graph-mistakes.ts';

/** The member of the file that holds the list. */
export const MEMBER = 'features';

/** `passing` is written with the landing; the others are open. `blocked`: a user has to free it. */
export const STATUSES = ['pending', 'in_progress', 'implemented', 'passing', 'failing', 'blocked'] as const;
export type MissionStatus = (typeof STATUSES)[number];

/** A checkpoint that a user has granted. `at`: ISO 8601. */
export type Granted = { readonly name: string; readonly by: string; readonly at: string };

export type MissionFeature = {
  /** A word such as F-001 or F-FIX-003. */
  readonly id: string;
  readonly title: string;
  /** The assertions of the validation contract that it has to meet. */
  readonly claims: readonly string[];
  readonly status: MissionStatus;
  /** Sessions that worked on it so far, as of its landing. */
  readonly attempts: number;
  readonly max_attempts?: number | null;
  readonly depends_on?: readonly string[] | null;
  readonly priority?: number | null;
  /** The test that proves it; repository-relative. */
  readonly test_file?: string | null;
  /** Old test files that it may change besides its own. */
  readonly may_change_tests?: readonly string[] | null;
  /** What a worker should know beyond the claims. */
  readonly notes?: string | null;
  /** The issue that it was made from, where a validator found one. */
  readonly fixes?: string | null;
  readonly skipped?: Skipped | null;
  readonly override?: Override | null;
  readonly failing?: Failing | null;
  readonly [unknown: string]: Json | undefined;
};

export type MissionFile = {
  readonly mission?: string;
  readonly spec?: string;
  readonly features: readonly MissionFeature[];
  readonly checkpoints?: readonly Granted[] | null;
};

const DEFAULT_MAX_ATTEMPTS = 3;

export const dependenciesOf = (feature: MissionFeature): readonly string[] => feature.depends_on ?? [];
export const maxAttemptsOf = (feature: MissionFeature): number => feature.max_attempts ?? DEFAULT_MAX_ATTEMPTS;
export const isPassing = ({ status }: MissionFeature): boolean => status === 'passing';
export const isSkipped = (feature: MissionFeature): boolean => (feature.skipped ?? null) !== null;
/** Features that depend on it may start. */
export const isFree = (feature: MissionFeature): boolean => isPassing(feature) || feature.skipped?.unblock === true;

/** `VAL-AREA-NNN`. */
export const CLAIM_ID = /^VAL-[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d{3,}$/;
const isClaim = (v: unknown): boolean => typeof v === 'string' && CLAIM_ID.test(v);

const isDecision =
  (...names: readonly string[]) =>
  (v: unknown): boolean =>
    isObject(v) &&
    names.every((name) => (name === 'passes' || name === 'unblock' ? typeof v[name] === 'boolean' : isText(v[name])));

/** `null` counts as absent wherever a field is not required. */
const FIELDS: readonly FieldRule[] = [
  rule('id', 'a word such as F-001', isWord, true),
  rule('title', 'string', isFilled, true),
  rule('claims', 'VAL-AREA-NNN[]', isList(isClaim), true),
  rule('status', quoted(STATUSES), isOneOf(STATUSES), true),
  rule('attempts', 'integer ≥ 0', isAtLeast(0), true),
  rule('max_attempts', 'integer ≥ 1', isAtLeast(1)),
  rule('depends_on', 'id[]', isList(isFilled)),
  rule('priority', 'number', (v) => Number.isFinite(v)),
  rule('test_file', 'path/inside/the/repository', isInsidePath),
  rule('may_change_tests', 'path/inside/the/repository[]', isList(isInsidePath)),
  rule('notes', 'string', isText),
  rule('fixes', 'string', isText),
  rule('skipped', '{ reason: string, unblock: true | false }', isDecision('reason', 'unblock')),
  rule(
    'override',
    '{ passes: true | false, reason: string, by: string, at: string }',
    isDecision('passes', 'reason', 'by', 'at'),
  ),
  rule('failing', '{ reason: string }', isDecision('reason')),
];

const FILE_FIELDS: readonly FieldRule[] = [
  rule(MEMBER, 'feature[]', (v) => Array.isArray(v), true),
  rule('mission', 'string', isText),
  rule('spec', 'string', isText),
  rule('checkpoints', '{ name: string, by: string, at: string }[]', isList(isDecision('name', 'by', 'at'))),
];

type ReadRules = {
  /** Cycles are not a mistake: for questions about them and for their removal. */
  readonly allowCycles?: boolean;
};

/** Failure: `backlog-invalid` with `count` and one cause per mistake. */
export const readMission = (text: string, file: string, rules: ReadRules = {}): Result<MissionFile> =>
  readRecords(text, file, rules.allowCycles === true ? WITH_CYCLES : WITHOUT);

const format = (allowCycles: boolean): Format => ({
  list: MEMBER,
  entry: 'Feature',
  file: FILE_FIELDS,
  fields: FIELDS,
  ofList: (list) => graphMistakes(list, { isId: isWord, isDependency: isText, allowCycles }),
});
const [WITHOUT, WITH_CYCLES] = [format(false), format(true)];
