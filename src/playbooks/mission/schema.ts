// `.harness/features.json`: the features of a mission. Types and the rule of each field; names are the file's own. Unknown fields are allowed
// and survive.
import type { Failing, Override, Skipped } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import type { Result } from '../../model/result.ts';
import {
  isFilled,
  isList,
  isObject,
  isOneOf,
  isText,
  quoted,
  readRecords,
  rule,
  type FieldRule,
  type Mistake,
} from '../records/read.ts';
import { dependencyCycles, missingDependencies, pathText, type GraphNode } from '../records/graph.ts';

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

const isWord = (v: unknown): boolean => typeof v === 'string' && /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(v);
/** `VAL-AREA-NNN`. */
export const CLAIM_ID = /^VAL-[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d{3,}$/;
const isClaim = (v: unknown): boolean => typeof v === 'string' && CLAIM_ID.test(v);
const isInteger = (least: number) => (v: unknown) => typeof v === 'number' && Number.isSafeInteger(v) && v >= least;

/** A path that names something inside the repository and cannot be taken for an option of a test runner. */
export function isTestPath(value: unknown): boolean {
  if (typeof value !== 'string' || value.trim() === '' || value.length > 1_000) return false;
  // oxlint-disable-next-line no-control-regex
  if (/^[-/\\~]|^[A-Za-z]:|[\u0000-\u001f\u007f]/.test(value)) return false;
  return !value.split(/[/\\]/).includes('..');
}

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
  rule('attempts', 'integer ≥ 0', isInteger(0), true),
  rule('max_attempts', 'integer ≥ 1', isInteger(1)),
  rule('depends_on', 'id[]', isList(isFilled)),
  rule('priority', 'number', (v) => Number.isFinite(v)),
  rule('test_file', 'path/inside/the/repository', isTestPath),
  rule('may_change_tests', 'path/inside/the/repository[]', isList(isTestPath)),
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
  readRecords(text, file, {
    list: MEMBER,
    entry: 'Feature',
    file: FILE_FIELDS,
    fields: FIELDS,
    ofList: (list) => graphMistakes(list, rules),
  });

/** Its place in the graph can be read, whatever else is wrong with the entry. */
const isNode = (entry: unknown): entry is GraphNode<string> =>
  isObject(entry) &&
  isWord(entry['id']) &&
  ((entry['depends_on'] ?? null) === null || isList(isText)(entry['depends_on']));

function graphMistakes(list: readonly unknown[], { allowCycles = false }: ReadRules): readonly Mistake[] {
  const nodes = list.filter(isNode);
  const indexOf = new Map(list.map((entry, index) => [isObject(entry) ? entry['id'] : undefined, index]));
  const at = (id: string, place: number) => ({ index: indexOf.get(id) ?? null, field: 'depends_on', place });
  const missing = missingDependencies(nodes).filter(({ to }) => !indexOf.has(to));
  const selves = nodes.flatMap(({ id, depends_on: on }) => {
    const place = (on ?? []).indexOf(id);
    return place < 0 ? [] : [{ id, place }];
  });
  const cycles = allowCycles ? [] : dependencyCycles(nodes);
  return [
    ...missing.map(({ from, to, place }): Mistake => ({
      reason: 'dependency-missing',
      params: { feature: from, dependency: to },
      ...at(from, place),
    })),
    ...selves.map(({ id, place }): Mistake => ({
      reason: 'dependency-self',
      params: { feature: id },
      ...at(id, place),
    })),
    ...cycles.map(({ path, edge }): Mistake => ({
      reason: 'dependency-cycle',
      params: { feature: edge.from, path: pathText(path) },
      ...at(edge.from, edge.place),
    })),
  ];
}
