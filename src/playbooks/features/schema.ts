// features.json: types and the rule of each field.
// Names are the file's own. Unknown fields are allowed and survive.
import type { Failing, Override, Skipped } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import {
  isFilled,
  isInsidePath,
  isList,
  isObject,
  isOneOf,
  isText,
  quoted,
  rule,
  type FieldRule,
} from '../records/read.ts';

export const SIZES = ['small', 'medium', 'large', 'xlarge'] as const;
export type SizeEstimate = (typeof SIZES)[number];
export const VERIFICATION_TYPES = ['automated', 'hybrid', 'manual'] as const;
export type VerificationType = (typeof VERIFICATION_TYPES)[number];

export type Feature = {
  readonly id: number;
  readonly description: string;
  readonly passes: boolean;
  readonly category?: string | null;
  /** Repository-relative, never starts with '-', never leaves the repository. */
  readonly test_file?: string | null;
  readonly verification_steps?: readonly string[] | null;
  readonly size_estimate?: SizeEstimate | null;
  readonly depends_on?: readonly number[] | null;
  readonly priority?: number | null;
  readonly verification_type?: VerificationType | null;
  readonly automated_checks?: readonly string[] | null;
  readonly manual_checks?: readonly string[] | null;
  readonly visual_verification?: { readonly enabled: boolean; readonly steps?: readonly string[] } | null;
  /** Files it is expected to touch. */
  readonly files?: readonly string[] | null;
  readonly estimated_lines?: number | null;
  readonly skipped?: Skipped | null;
  readonly override?: Override | null;
  readonly failing?: Failing | null;
  readonly size_accepted?: boolean | null;
  /** The feature changes its own old tests, or also those of other files: the user is not asked about that. */
  readonly may_change_tests?: boolean | readonly string[] | null;
  readonly [unknown: string]: Json | undefined;
};

export type FeaturesFile = {
  readonly project?: string;
  readonly generated_by?: string;
  readonly last_updated?: string;
  readonly instructions?: string;
  readonly features: readonly Feature[];
};

export const isId = (v: unknown): v is number => typeof v === 'number' && Number.isSafeInteger(v) && v >= 1;

/** `null` counts as absent wherever a field is not required. */
export const FEATURE_FIELDS: readonly FieldRule[] = [
  rule('id', 'integer ≥ 1', isId, true),
  rule('description', 'string', isFilled, true),
  rule('passes', 'true | false', (v) => typeof v === 'boolean', true),
  rule('category', 'string', isText),
  rule('test_file', 'path/inside/the/repository', isInsidePath),
  rule('verification_steps', 'string[]', isList(isText)),
  rule('size_estimate', quoted(SIZES), isOneOf(SIZES)),
  rule('depends_on', 'id[]', isList(isId)),
  rule('priority', 'number', (v) => Number.isFinite(v)),
  rule('verification_type', quoted(VERIFICATION_TYPES), isOneOf(VERIFICATION_TYPES)),
  rule('automated_checks', 'string[]', isList(isText)),
  rule('manual_checks', 'string[]', isList(isText)),
  rule(
    'visual_verification',
    '{ enabled: true | false, steps: string[] }',
    (v) => isObject(v) && typeof v['enabled'] === 'boolean' && (v['steps'] === undefined || isList(isText)(v['steps'])),
  ),
  rule('files', 'string[]', isList(isText)),
  rule('estimated_lines', 'number ≥ 0', (v) => typeof v === 'number' && Number.isFinite(v) && v >= 0),
  rule(
    'skipped',
    '{ reason: string, at: string, unblock: true | false }',
    (v) =>
      isObject(v) &&
      isText(v['reason']) &&
      typeof v['unblock'] === 'boolean' &&
      (v['at'] === undefined || isText(v['at'])),
  ),
  rule(
    'override',
    '{ passes: true | false, reason: string, by: string, at: string }',
    (v) => isObject(v) && typeof v['passes'] === 'boolean' && isText(v['reason']) && isText(v['by']) && isText(v['at']),
  ),
  rule('failing', '{ reason: string }', (v) => isObject(v) && isText(v['reason'])),
  rule('size_accepted', 'true | false', (v) => typeof v === 'boolean'),
  rule(
    'may_change_tests',
    'true | false | path/inside/the/repository[]',
    (v) => typeof v === 'boolean' || isList(isInsidePath)(v),
  ),
];

export const FILE_FIELDS: readonly FieldRule[] = [
  rule('features', 'feature[]', (v) => Array.isArray(v), true),
  rule('project', 'string', isText),
  rule('generated_by', 'string', isText),
  rule('last_updated', 'string', isText),
  rule('instructions', 'string', isText),
];

export const verificationOf = (f: Feature): VerificationType => f.verification_type ?? 'automated';
export const dependenciesOf = (f: Pick<Feature, 'depends_on'>): readonly number[] => f.depends_on ?? [];
export const stepsOf = (f: Feature): readonly string[] => f.verification_steps ?? [];
