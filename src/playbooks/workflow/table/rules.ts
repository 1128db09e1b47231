// The conditions and the writes that the rows of the tables are made of, by name.
import { Bug } from '../../../model/bug.ts';
import { entryOf } from '../../../model/entry.ts';
import {
  inPhase,
  isV1,
  resolved,
  type FixState,
  type StateFile,
  type WorkflowFile,
  type WorkflowState,
} from '../file/state.ts';
import type { Counters } from './counters.ts';
import { GATES } from './gates.ts';
import type { WorkflowEvent } from './stages.ts';

/** How often the generator is sent again after Layer 1 failed, and after Layer 2 failed. */
export const LAYER_1_RETRIES = 3;
export const LAYER_2_RETRIES = 2;
/** How often the convention scan, or any other group of sessions, is repeated when a file is missing. */
const MORE_TRIES = 2;
/** Revisions of the spec in one run; the next run offers them again. */
const REVISIONS = 10;

export const PATCH_FILE = '.harness/generator/auto_fix_patch.md';
export const CONVENTIONS_FILE = '.harness/conventions.md';
/** What the workflow itself keeps in the state folder, removed at its end. Sessions, logs, costs and evidence are the harness's and stay. */
export const OWN_FILES = ['planner', 'generator', 'conventions.md', 'autofix_pre_apply'] as const;

/** What a condition can depend on. */
export type Known = { readonly state: WorkflowState; readonly mem: Counters; readonly file: WorkflowFile };
export const knownOf = (file: WorkflowFile, mem: Counters): Known => ({ file, mem, state: resolved(file) });

/** Layer 1 passed, and no user accepted work that fails. */
export const isProved = ({ file, mem }: Pick<Known, 'file' | 'mem'>): boolean =>
  resolved(file).verify.layer1_result === 'PASS' && !mem.isAccepted;

export const GUARDS = {
  auto: ({ mem }) => mem.style === 'auto',
  /** `workflow verify`, `workflow evaluate`: no other step is run, so no generator either. */
  'one step only': ({ mem }) => mem.style === 'step',
  'evaluation follows': ({ mem }) => mem.style === 'auto' || mem.only === 'evaluate',
  single: ({ state }) => state.mode === 'single',
  multi: ({ state }) => state.mode === 'multi',
  /** Not known counts as git: a question too many is better than a commit that was not asked about. */
  git: ({ state }) => state.has_git !== false,
  'first try': ({ mem }) => mem.tries === 0,
  'tries left': ({ mem }) => mem.tries < MORE_TRIES,
  'scans left': ({ mem }) => mem.scans < MORE_TRIES,
  'revisions left': ({ mem }) => mem.revisions < REVISIONS,
  /** Some files of version 1 have none. */
  'verify step': ({ file }) => !isV1(file) || (file.verify ?? null) !== null,
  'layer 1 failed': ({ state }) => state.verify.layer1_result === 'FAIL',
  'layer 1 retries left': ({ state }) => state.verify.layer1_retries < LAYER_1_RETRIES,
  /** Once per task; version 1 has no auto-fix. */
  'auto-fix offered': ({ state, file }) => !isV1(file) && !state.verify.autofix_attempted && state.autofix === null,
  'layer 2 failed': ({ state }) => state.verify.layer2_result === 'FAIL',
  'layer 2 retries left': ({ state }) => state.verify.layer2_retries < LAYER_2_RETRIES,
  'rounds left': ({ state }) => state.round < state.max_rounds,
} as const satisfies { readonly [name: string]: (known: Known) => boolean };
export type GuardName = keyof typeof GUARDS;
/** A guard, or its negation. */
export type Condition = GuardName | `not ${GuardName}`;

export const holds = (condition: Condition, known: Known): boolean => isMet(condition, GUARDS, known);
export function isMet<K>(
  condition: string,
  guards: { readonly [name: string]: (known: K) => boolean },
  known: K,
): boolean {
  const isNegated = condition.startsWith('not ');
  const guard = entryOf(guards, isNegated ? condition.slice(4) : condition);
  if (guard === undefined) throw new Bug(`there is no guard for "${condition}"`);
  return guard(known) !== isNegated;
}

type Event = Pick<WorkflowEvent, 'at' | 'on'>;
type Effect = (known: Known, event: Event) => Partial<Pick<Known, 'file' | 'mem'>>;
const writes =
  (change: (known: Known, event: Event) => WorkflowFile): Effect =>
  (known, event) => ({ file: change(known, event) });
const writesVerify = (fields: (state: WorkflowState) => Partial<WorkflowState['verify']>): Effect =>
  writes(({ file, state }) => withVerify(file, fields(state)));

const EFFECTS = {
  'conventions: file': writes(({ file }) => withFields(file, { conventions: `file:${CONVENTIONS_FILE}` })),
  'conventions: skipped': writes(({ file }) => withFields(file, { conventions: 'skipped' })),
  'conventions: null': writes(({ file }) => withFields(file, { conventions: null })),

  'count try': ({ mem }) => ({ mem: { ...mem, tries: mem.tries + 1 } }),
  'count scan': ({ mem }) => ({ mem: { ...mem, scans: mem.scans + 1 } }),
  'count revision': ({ mem }) => ({ mem: { ...mem, revisions: mem.revisions + 1 } }),

  /** The first Layer 1 of this code; a retry keeps its count. */
  'layer 1: reset': writesVerify(() => ({ layer1_result: null, layer1_retries: 0 })),
  'layer 1: clear': writesVerify(() => ({ layer1_result: null })),
  'layer 1: PASS': writesVerify(() => ({ layer1_result: 'PASS' })),
  'layer 1: FAIL': writesVerify(() => ({ layer1_result: 'FAIL' })),
  'layer 1: +1': writesVerify(({ verify }) => ({ layer1_retries: verify.layer1_retries + 1 })),
  /** A failed auto-fix leaves no more retries than allowed. */
  'layer 1: clamp': writesVerify(({ verify }) => ({
    layer1_retries: Math.min(verify.layer1_retries, LAYER_1_RETRIES),
  })),

  'auto-fix: proposed': writes(({ file }, { at }) =>
    withFields(file, { autofix: { last_patch_path: PATCH_FILE, applied: 'proposed', triggered_at: at } }),
  ),
  /** One write records the decision and that the one attempt is spent, so that no file has one without the other. */
  'auto-fix: applied': writes(({ file }) => withVerify(withDecision(file, 'applied'), { layer1_result: null })),
  'auto-fix: rejected': writes(({ file }) => withDecision(file, 'rejected')),
  'auto-fix: stopped': writes(({ file }) => withDecision(file, 'stopped')),

  /** The result of an earlier evaluation says nothing about this one. */
  'layer 2: clear': writesVerify(() => ({ layer2_result: null })),
  'layer 2: PASS': writesVerify(() => ({ layer2_result: 'PASS' })),
  'layer 2: FAIL': writesVerify(() => ({ layer2_result: 'FAIL' })),
  'layer 2: +1': writesVerify(({ verify }) => ({ layer2_retries: verify.layer2_retries + 1 })),
  /** The auto-fix is kept: it is offered once per task, not per round. */
  'next round': writes(({ file, state }) => ({
    ...withVerify(file, { layer1_retries: 0, layer1_result: null, layer2_result: null, layer2_retries: 0 }),
    round: state.round + 1,
  })),
  'phase: evaluate_ready': writes(({ file }) => inPhase(file, 'evaluate_ready')),
  /** A report with a verdict leads to the last question again. */
  'phase: evaluate_done': writes(({ file }) => inPhase(file, 'evaluate_done')),
  'keep choice': ({ mem }, { on }) => {
    const finish = GATES.commit.options.find((option) => on === `commit: ${option}`) ?? null;
    return { mem: { ...mem, finish } };
  },
} as const satisfies { readonly [name: string]: Effect };
export type EffectName = keyof typeof EFFECTS;

/** After these writes, in this order. */
export const afterWrites = (known: Known, names: readonly EffectName[], event: Event): Known =>
  names.reduce((now, name) => {
    const { file, mem } = { ...now, ...EFFECTS[name](now, event) };
    return knownOf(file, mem);
  }, known);

const withFields = (file: WorkflowFile, fields: Partial<StateFile>): WorkflowFile =>
  isV1(file) ? file : { ...file, ...fields };

/** Version 1 has no Layer 2; a file without a verify step gets none. */
function withVerify(file: WorkflowFile, fields: Partial<WorkflowState['verify']>): WorkflowFile {
  if (!isV1(file)) return { ...file, verify: { ...file.verify, ...fields } };
  if ((file.verify ?? null) === null) return file;
  const { layer1_result, layer1_retries } = { ...resolved(file).verify, ...fields };
  return { ...file, verify: { ...file.verify, layer1_result, layer1_retries } };
}

function withDecision(file: WorkflowFile, applied: Exclude<FixState, 'proposed'>): WorkflowFile {
  if (isV1(file)) return file;
  const fix = file.autofix ?? { last_patch_path: PATCH_FILE, triggered_at: file.updated_at ?? '' };
  return { ...withVerify(file, { autofix_attempted: true }), autofix: { ...fix, applied } };
}
