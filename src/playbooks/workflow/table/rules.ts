// The conditions and the writes that rows of the tables are made of, each by the name that the tables call it.
import { entryOf } from '../../../model/entry.ts';
import {
  isV1,
  inPhase,
  resolved,
  type Applied,
  type StateFile,
  type WorkflowFile,
  type WorkflowState,
} from '../file/state.ts';
import type { Mem } from './mem.ts';
import type { WorkflowEvent } from './stages.ts';

/** Generator retries after Layer 1 said FAIL (Step 5), and after Layer 2 did (Step 7). */
export const LAYER_1_RETRIES = 3;
export const LAYER_2_RETRIES = 2;
/** Step 1.5: the scanner is sent once more at most so often. By analogy each group of sessions that did not write what it was to write. */
export const MORE_TRIES = 2;
/** "Modify" has no limit in the reference; a life has an end. The next life offers it anew. */
export const REVISIONS = 10;

export const PATCH_FILE = '.harness/generator/auto_fix_patch.md';
export const CONVENTIONS_FILE = '.harness/conventions.md';
/** The workflow's own in the state folder, which go with it; sessions, logs, costs and evidence are the harness's, and stay. */
export const OWN_PAPERS = ['planner', 'generator', 'conventions.md', 'autofix_pre_apply'] as const;

export type Known = { readonly state: WorkflowState; readonly mem: Mem; readonly file: WorkflowFile };

const { min } = Math;
export const GUARDS = {
  auto: ({ mem }) => mem.style === 'auto',
  /** `workflow verify`, `workflow evaluate`: no other step is run, so no generator either. */
  'one step only': ({ mem }) => mem.style === 'step',
  'evaluation follows': ({ mem }) => mem.style === 'auto' || mem.only === 'evaluate',
  single: ({ state }) => state.mode === 'single',
  multi: ({ state }) => state.mode === 'multi',
  /** Not known counts as yes: a question too many is better than work that nobody was asked about. */
  git: ({ state }) => state.has_git !== false,
  'tries left': ({ mem }) => mem.tries < MORE_TRIES,
  'scans left': ({ mem }) => mem.scans < MORE_TRIES,
  'revisions left': ({ mem }) => mem.revisions < REVISIONS,
  /** A v1 session of before 7.1 has none. */
  'verify step': ({ file }) => !isV1(file) || (file.verify ?? null) !== null,
  'layer 1 failed': ({ state }) => state.verify.layer1_result === 'FAIL',
  'layer 1 retries left': ({ state }) => state.verify.layer1_retries < LAYER_1_RETRIES,
  /** I2. v1 knows no auto-fix. */
  'auto-fix offered': ({ state, file }) => !isV1(file) && !state.verify.autofix_attempted && state.autofix === null,
  'layer 2 failed': ({ state }) => state.verify.layer2_result === 'FAIL',
  'layer 2 retries left': ({ state }) => state.verify.layer2_retries < LAYER_2_RETRIES,
  'rounds left': ({ state }) => state.round < state.max_rounds,
} as const satisfies { readonly [name: string]: (known: Known) => boolean };
export type GuardName = keyof typeof GUARDS;
/** A condition of a row: a guard, or that it does not hold. */
export type Condition = GuardName | `not ${GuardName}`;

export function holds(condition: Condition, known: Known): boolean {
  const isNegated = condition.startsWith('not ');
  const name = (isNegated ? condition.slice(4) : condition) as GuardName;
  return GUARDS[name](known) !== isNegated;
}

type Effect = (known: Known, event: Pick<WorkflowEvent, 'at' | 'on'>) => Partial<Pick<Known, 'file' | 'mem'>>;

export const EFFECTS = {
  'conventions: file': ({ file }) => ({ file: written(file, { conventions: `file:${CONVENTIONS_FILE}` }) }),
  'conventions: skipped': ({ file }) => ({ file: written(file, { conventions: 'skipped' }) }),
  'conventions: null': ({ file }) => ({ file: written(file, { conventions: null }) }),

  'count try': ({ mem }) => ({ mem: { ...mem, tries: mem.tries + 1 } }),
  'count scan': ({ mem }) => ({ mem: { ...mem, scans: mem.scans + 1 } }),
  'count revision': ({ mem }) => ({ mem: { ...mem, revisions: mem.revisions + 1 } }),

  /** First entry of Step 5; a retry re-enters with its count. */
  'layer 1: anew': ({ file }) => ({ file: verify(file, { layer1_result: null, layer1_retries: 0 }) }),
  'layer 1: again': ({ file }) => ({ file: verify(file, { layer1_result: null }) }),
  'layer 1: PASS': ({ file }) => ({ file: verify(file, { layer1_result: 'PASS' }) }),
  'layer 1: FAIL': ({ file }) => ({ file: verify(file, { layer1_result: 'FAIL' }) }),
  'layer 1: +1': ({ file, state }) => ({ file: verify(file, { layer1_retries: state.verify.layer1_retries + 1 }) }),
  /** I4. */
  'layer 1: clamp': ({ file, state }) => ({
    file: verify(file, { layer1_retries: min(state.verify.layer1_retries, LAYER_1_RETRIES) }),
  }),

  'auto-fix: proposed': ({ file }, { at }) => ({
    file: written(file, { autofix: { last_patch_path: PATCH_FILE, applied: 'proposed', triggered_at: at } }),
  }),
  /** I1 holds in every file that is ever written: what became of the proposal and that the one attempt is spent are one write. */
  'auto-fix: applied': ({ file }) => ({ file: verify(decided(file, 'applied'), { layer1_result: null }) }),
  'auto-fix: rejected': ({ file }) => ({ file: decided(file, 'rejected') }),
  'auto-fix: stopped': ({ file }) => ({ file: decided(file, 'stopped') }),

  /** What the evaluation before found says nothing of this one. */
  'layer 2: anew': ({ file }) => ({ file: verify(file, { layer2_result: null }) }),
  'layer 2: PASS': ({ file }) => ({ file: verify(file, { layer2_result: 'PASS' }) }),
  'layer 2: FAIL': ({ file }) => ({ file: verify(file, { layer2_result: 'FAIL' }) }),
  'layer 2: +1': ({ file, state }) => ({ file: verify(file, { layer2_retries: state.verify.layer2_retries + 1 }) }),
  /** Step 7, Fix. What auto-fix did stays: once per session, not per round. */
  'next round': ({ file, state }) => ({
    file: {
      ...verify(file, { layer1_retries: 0, layer1_result: null, layer2_result: null, layer2_retries: 0 }),
      round: state.round + 1,
    },
  }),
  /** The answer is kept in the file: the next session evaluates. */
  'phase: evaluate_ready': ({ file }) => ({ file: inPhase(file, 'evaluate_ready') }),
  /** What is done is not finished: a report with a verdict leads to the last question again. */
  'phase: evaluate_done': ({ file }) => ({ file: inPhase(file, 'evaluate_done') }),
  'keep choice': ({ mem }, { on }) => ({ mem: { ...mem, finish: entryOf(CHOICES, on) ?? null } }),
} as const satisfies { readonly [name: string]: Effect };
export type EffectName = keyof typeof EFFECTS;

/** Writes one after the other. */
export const afterWrites = (known: Known, names: readonly EffectName[], event: Parameters<Effect>[1]): Known =>
  names.reduce((now, name) => {
    const { file, mem } = { ...now, ...EFFECTS[name](now, event) };
    return knownOf(file, mem);
  }, known);

const CHOICES: { readonly [answer: string]: Mem['finish'] } = {
  'commit: code-only': 'code-only',
  'commit: all': 'all',
  'commit: none': 'none',
};

export const knownOf = (file: WorkflowFile, mem: Mem): Known => ({ file, mem, state: resolved(file) });

const written = (file: WorkflowFile, fields: Partial<StateFile>): WorkflowFile =>
  isV1(file) ? file : { ...file, ...fields };

type Verify = Partial<WorkflowState['verify']>;
/** v1 has no Layer 2, and where it has no verify step it gets none. */
function verify(file: WorkflowFile, fields: Verify): WorkflowFile {
  if (!isV1(file)) return { ...file, verify: { ...file.verify, ...fields } };
  if ((file.verify ?? null) === null) return file;
  const { layer1_result, layer1_retries } = { ...resolved(file).verify, ...fields };
  return { ...file, verify: { ...file.verify, layer1_result, layer1_retries } };
}

function decided(file: WorkflowFile, applied: Exclude<Applied, 'proposed'>): WorkflowFile {
  if (isV1(file)) return file;
  const fix = file.autofix ?? { last_patch_path: PATCH_FILE, triggered_at: file.updated_at ?? '' };
  return { ...verify(file, { autofix_attempted: true }), autofix: { ...fix, applied } };
}
