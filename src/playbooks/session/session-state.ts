// .harness/session_state.json, its migration from older schemas, and the record of one session.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, type Result, ok } from '../../model/result.ts';
import { STATE_HARNESS_VERSION, STATE_SCHEMA_VERSION } from './versions.ts';
import { unreachable } from '../../model/bug.ts';
import { cutReasons, type CutReason } from './facts.ts';

export const SESSION_STATUSES = ['complete', 'partial', 'failed'] as const;
export const NEXT_PROMPTS = ['coding', 'continuation', 'cleanup'] as const;
/** Every way a session ends. `success`: claimed and verified · `complete`: ended by itself without a verified claim. */
export const TERMINATION_REASONS = [
  'success',
  'complete',
  'context_limit',
  'timeout',
  'stuck',
  'user_pause',
  'budget',
  'error',
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
export type NextPrompt = (typeof NEXT_PROMPTS)[number];
export type TerminationReason = (typeof TERMINATION_REASONS)[number];

const count = z.number().int().min(0);

/**
 * Unknown fields are kept. Missing fields get the value of a fresh start. A newer schema version is accepted here: readSessionState decides
 * whether such a file is used.
 */
export const sessionStateSchema = z.looseObject({
  harness_version: z.string().default(STATE_HARNESS_VERSION),
  schema_version: z.int().min(STATE_SCHEMA_VERSION),
  last_session: count,
  status: z.enum(SESSION_STATUSES),
  current_feature: z
    .union([z.number().int().min(1), z.string().min(1)])
    .nullable()
    .default(null),
  termination_reason: z.enum(TERMINATION_REASONS).nullable().default(null),
  next_prompt: z.enum(NEXT_PROMPTS).default('coding'),
  /** Consecutive sessions that did not complete `current_feature`. */
  stuck_count: count.default(0),
  /** Consecutive sessions that ran into the wall clock. */
  timeout_count: count.default(0),
  timestamp: z.string(),
});
export type SessionStateFile = z.output<typeof sessionStateSchema>;

/** The fields when no session is unfinished. */
export const NOTHING_UNDER_WAY = {
  status: 'complete',
  current_feature: null,
  termination_reason: null,
  next_prompt: 'coding',
  stuck_count: 0,
  timeout_count: 0,
} as const satisfies Partial<SessionStateFile>;

/** Before the first session, or after session 0. */
export const emptySessionState = (at: string): SessionStateFile => ({
  harness_version: STATE_HARNESS_VERSION,
  schema_version: STATE_SCHEMA_VERSION,
  last_session: 0,
  ...NOTHING_UNDER_WAY,
  timestamp: at,
});

const anyVersion = z.object({ schema_version: z.unknown() });

/**
 * Failures: `state-unreadable` (with place or key), `state-older` and `state-newer` (with both versions). `newer`: the
 * setting for state of a newer harness.
 */
export function readSessionState(
  text: string,
  file: string,
  newer: 'abort' | 'warn' = 'abort',
): Result<SessionStateFile> {
  const found = parseJsonFile(text, file, z.unknown());
  if (!found.ok) return found;
  const version = anyVersion.safeParse(found.value).data?.schema_version ?? 1;
  const isOlder = typeof version === 'number' && version < STATE_SCHEMA_VERSION;
  const isNewer = typeof version === 'number' && version > STATE_SCHEMA_VERSION;
  if (isOlder || (isNewer && newer === 'abort')) {
    const reason = isOlder ? 'state-older' : 'state-newer';
    const setting = isNewer ? 'compatibility.on_newer_state' : 'compatibility.on_older_state';
    return err(failure(reason, { file, found: version, supported: STATE_SCHEMA_VERSION, setting }, { at: { file } }));
  }
  return parseJsonFile(text, file, sessionStateSchema);
}

/** The record of a session: the documented fields first, then the harness's own. */
export const sessionRecordSchema = z.looseObject({
  session_id: count,
  started_at: z.string(),
  ended_at: z.string().nullable(),
  duration_seconds: z.number().min(0),
  termination_reason: z.enum(TERMINATION_REASONS).nullable(),
  feature_id: z.number().int().min(1).nullable(),
  feature_completed: z.boolean(),
  tokens_used: z.looseObject({ input: count, output: count, cached: count.default(0) }),
  /** null: neither the provider nor a price table knows it. */
  cost_usd: z.number().min(0).nullable(),
  role: z.enum(['initializer', ...NEXT_PROMPTS]).default('coding'),
  /** The machine's verdict and its reason, kebab-case. */
  result: z.string().default(''),
  reason: z.string().default(''),
  turns: count.default(0),
  tool_calls: count.default(0),
  commit: z.string().nullable().default(null),
  /** The private ref under which rolled-back work is kept. */
  attempt: z.string().nullable().default(null),
  evidence: z.string().nullable().default(null),
});
export type SessionRecord = z.output<typeof sessionRecordSchema>;

type Fields = { readonly [field: string]: unknown };
/** Each returns the fields in the next schema. Unknown fields stay. */
const STEPS: { readonly [from: number]: (state: Fields) => Fields } = {
  // Schema 2 added test_baseline.json. Preflight creates it: an empty one would mean that no test passed before.
  1: (state) => state,
  // Schema 3 added the count of sessions that ran into the wall clock, and settings of preflight, which have defaults.
  2: (state) => ({ ...state, harness_version: STATE_HARNESS_VERSION, timeout_count: state['timeout_count'] ?? 0 }),
};

const versioned = z.looseObject({ schema_version: z.int().min(1).default(1) });

/** 1 if the file has no version. Fails with `state-unreadable`. */
export function schemaOf(text: string, file: string): Result<number> {
  const read = parseJsonFile(text, file, versioned);
  return read.ok ? ok(read.value.schema_version) : read;
}

/** `text`: the whole file after the step. */
export type MigrationStep = { readonly from: number; readonly to: number; readonly text: string };

/**
 * The steps to the current schema, each with the text of the file after it. Fails with `state-newer`, and with `state-unreadable` if the
 * result would not be valid.
 */
export function migrationOf(text: string, file: string): Result<readonly MigrationStep[]> {
  const read = parseJsonFile(text, file, versioned);
  if (!read.ok) return read;
  const first = read.value.schema_version;
  if (first > STATE_SCHEMA_VERSION)
    return err(failure('state-newer', { file, found: first, supported: STATE_SCHEMA_VERSION }, { at: { file } }));
  const steps: MigrationStep[] = [];
  let state: Fields = read.value;
  for (let from = first; from < STATE_SCHEMA_VERSION; from += 1) {
    const { harness_version: writer, schema_version: _, ...rest } = STEPS[from]?.(state) ?? state;
    // The versions first, then every other field in its order.
    state = { ...(writer === undefined ? {} : { harness_version: writer }), schema_version: from + 1, ...rest };
    steps.push({ from, to: from + 1, text: `${JSON.stringify(state, null, 2)}\n` });
  }
  const last = steps.at(-1);
  if (last === undefined) return ok([]);
  const fits = parseJsonFile(last.text, file, sessionStateSchema);
  return fits.ok ? ok(steps) : fits;
}

export function started(file: SessionStateFile, s: { session: number; feature: string; at: string }): SessionStateFile {
  const feature = /^[1-9]\d{0,14}$/.test(s.feature) ? Number(s.feature) : s.feature;
  const isSame = file.current_feature === feature;
  return {
    ...file,
    last_session: s.session,
    current_feature: feature,
    stuck_count: isSame ? file.stuck_count : 0,
    timestamp: s.at,
  };
}

/** How a session ended, as session_state.json needs it. */
export const sessionEnd = z.discriminatedUnion('end', [
  z.object({ end: z.literal('landed'), isCleanupDue: z.boolean().optional() }),
  z.object({ end: z.literal('failed') }),
  /** For a cause that is not the item's, such as an agent that is not installed: it does not count as being stuck. */
  z.object({ end: z.literal('blocked') }),
  /** `isOutage`: the work was not the cause. */
  z.object({ end: z.literal('partial'), why: cutReasons, isOutage: z.boolean().optional() }),
]);
export type SessionEnd = z.output<typeof sessionEnd>;

/** In the terms of the file. */
export function terminationOf(why: CutReason): TerminationReason {
  if (why === 'incomplete' || why === 'phase' || why === 'answered' || why === 'unclear') return 'complete';
  return why === 'review' || why === 'provider_limit' || why === 'overtaken' ? 'error' : why;
}

/** The work did not keep the session from ending well. A pause of a person is none of the item, other than in the reference. */
const NO_FAULT: readonly CutReason[] = ['budget', 'provider_limit', 'overtaken', 'user_pause', 'phase', 'unclear'];

/** `at`: ISO 8601. */
export function finished(file: SessionStateFile, e: SessionEnd & { readonly at: string }): SessionStateFile {
  switch (e.end) {
    case 'landed':
      return {
        ...file,
        status: 'complete',
        termination_reason: null,
        next_prompt: e.isCleanupDue === true ? 'cleanup' : 'coding',
        stuck_count: 0,
        timeout_count: 0,
        timestamp: e.at,
      };
    case 'failed':
      return {
        ...file,
        status: 'failed',
        termination_reason: 'error',
        next_prompt: 'coding',
        stuck_count: file.stuck_count + 1,
        timeout_count: 0,
        timestamp: e.at,
      };
    case 'blocked':
      return { ...file, status: 'failed', termination_reason: 'error', next_prompt: 'coding', timestamp: e.at };
    case 'partial':
      return {
        ...file,
        status: 'partial',
        termination_reason: terminationOf(e.why),
        next_prompt: 'continuation',
        stuck_count: file.stuck_count + (e.isOutage === true || NO_FAULT.includes(e.why) ? 0 : 1),
        timeout_count: e.why === 'timeout' ? file.timeout_count + 1 : 0,
        timestamp: e.at,
      };
    default:
      return unreachable(e);
  }
}
