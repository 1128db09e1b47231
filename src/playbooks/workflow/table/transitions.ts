// Every transition of the workflow as one table that is the program (reference 004, State Machine, Steps 1.5 to 8): in a stage, on an event,
// when all conditions hold, to a stage, with the writes. Exactly one alternative fits every event that a stage hears; the compiler
// wants all of them, and an event that a stage does not hear is refused. What the reference leaves open is decided in comments here.
import type { Condition, EffectName } from './rules.ts';
import type { EventName, Heard, StageName } from './stages.ts';

export type Alternative = {
  /** All of them; none: always. */
  readonly when?: readonly Condition[];
  /** `refused`: an option that is not shown. */
  readonly to: StageName | 'refused';
  /** In this order. The phase is written as well: it is the one of the stage. */
  readonly set?: readonly EffectName[];
  /** Why it ends in `stopped`. */
  readonly why?: string;
};
type Table = { readonly [N in StageName]: { readonly [E in Heard<N>]: Alternative | readonly Alternative[] } };

/** Sessions that did not write what they were to write are sent again, then a person must look. */
const orAgain = (stage: StageName): readonly Alternative[] => [
  { when: ['tries left'], to: stage, set: ['count try'] },
  { when: ['not tries left'], to: 'stopped', why: 'output-missing' },
];

const TABLE: Table = {
  // Step 1.5: Convention Scan
  conventions: {
    'conventions: found': { to: 'plan-ready', set: ['conventions: file'] },
    'conventions: settled': { to: 'plan-ready' },
    'conventions: none': { to: 'conventions-gate', set: ['conventions: null'] },
  },
  'conventions-gate': {
    'conventions: scan': { to: 'scan' },
    'conventions: skip': { to: 'plan-ready', set: ['conventions: skipped'] },
  },
  scan: {
    written: { to: 'plan-ready', set: ['conventions: file'] },
    failed: [
      { when: ['scans left'], to: 'scan-gate' },
      { when: ['not scans left'], to: 'plan-ready', set: ['conventions: skipped'] },
    ],
  },
  'scan-gate': {
    'scan: retry': { to: 'scan', set: ['count scan'] },
    'scan: skip': { to: 'plan-ready', set: ['conventions: skipped'] },
  },

  // Step 2: Plan Phase
  'plan-ready': {
    begin: [
      { when: ['single'], to: 'plan' },
      { when: ['not single'], to: 'propose' },
    ],
  },
  plan: { written: { to: 'plan-done' }, failed: orAgain('plan') },
  propose: {
    written: [
      { when: ['multi'], to: 'critique' },
      { when: ['not multi'], to: 'synthesise' },
    ],
    failed: orAgain('propose'),
  },
  critique: { written: { to: 'synthesise' }, failed: orAgain('critique') },
  synthesise: { written: { to: 'plan-done' }, failed: orAgain('synthesise') },
  'plan-done': {
    proceed: [
      { when: ['auto'], to: 'spec-gate' },
      { when: ['not auto'], to: 'session-end' },
    ],
  },

  // Step 3: HARD GATE, Spec Confirmation
  'spec-gate': {
    'spec: proceed': { to: 'generate-ready' },
    'spec: modify': [
      { when: ['revisions left'], to: 'revise-spec', set: ['count revision'] },
      { when: ['not revisions left'], to: 'refused' },
    ],
    'spec: stop': { to: 'stopped', why: 'stopped-at-spec' },
  },
  'revise-spec': { written: { to: 'spec-gate' }, failed: orAgain('revise-spec') },

  // Step 4: Generate Phase
  'generate-ready': {
    begin: [
      { when: ['single'], to: 'implement' },
      { when: ['not single'], to: 'design' },
    ],
  },
  design: { written: { to: 'review' }, failed: orAgain('design') },
  review: { written: { to: 'implement' }, failed: orAgain('review') },
  implement: { written: { to: 'generate-done' }, failed: orAgain('implement') },
  'generate-done': {
    proceed: [
      { when: ['not auto'], to: 'session-end' },
      { when: ['auto', 'not verify step'], to: 'evaluate-ready' },
      { when: ['auto', 'verify step'], to: 'verify-ready', set: ['layer 1: anew'] },
    ],
  },
  // The retry of either layer: it re-enters Step 5 with its count ("Do NOT reset"), and no run style ends a session in the middle of it.
  retry: { written: { to: 'retry-done' }, failed: orAgain('retry') },
  'retry-done': { proceed: { to: 'verify-ready', set: ['layer 1: again'] } },

  // Step 5: Verify Phase (Layer 1)
  'verify-ready': { begin: { to: 'verify' } },
  verify: {
    'layer 1: pass': { to: 'verify-done', set: ['layer 1: PASS'] },
    'layer 1: fail': { to: 'verify-done', set: ['layer 1: FAIL'] },
    'layer 1: skipped': { to: 'verify-done' }, // null: "Layer 1 was not executed"
  },
  'verify-done': {
    proceed: [
      { when: ['not layer 1 failed', 'auto'], to: 'evaluate-ready' },
      { when: ['not layer 1 failed', 'not auto'], to: 'session-end' },
      { when: ['layer 1 failed', 'one step only'], to: 'session-end' }, // a generator is another step
      { when: ['layer 1 failed', 'not one step only', 'layer 1 retries left'], to: 'retry', set: ['layer 1: +1'] },
      { when: ['layer 1 failed', 'not one step only', 'not layer 1 retries left'], to: 'verify-gate' },
    ],
  },

  // Step 5: the 1st HARD-GATE, the auto-fix and the 2nd HARD-GATE
  'verify-gate': {
    'verify: auto-fix': [
      { when: ['auto-fix offered'], to: 'propose-fix', set: ['auto-fix: proposed'] },
      { when: ['not auto-fix offered'], to: 'refused' }, // I2
    ],
    'verify: continue': [
      { when: ['evaluation follows'], to: 'evaluate-ready' },
      // A style that ends here keeps the answer: without it the next session would verify again, and ask again.
      { when: ['not evaluation follows'], to: 'session-end', set: ['phase: evaluate_ready'] },
    ],
    'verify: stop': { to: 'stopped', why: 'stopped-at-verify' },
  },
  'propose-fix': {
    'patch: written': { to: 'auto-fix-gate' },
    'patch: empty': { to: 'verify-gate', set: ['auto-fix: rejected'] },
  },
  'auto-fix-gate': {
    'auto-fix: apply': { to: 'apply-patch' }, // still `proposed`: the file says applied of what is in the tree
    'auto-fix: reject': { to: 'verify-gate', set: ['auto-fix: rejected'] },
    'auto-fix: stop': { to: 'stopped', set: ['auto-fix: rejected'], why: 'stopped-at-auto-fix' },
  },
  'apply-patch': {
    'patch: applied': { to: 'reverify-ready', set: ['auto-fix: applied'] },
    'patch: refused': { to: 'verify-gate', set: ['auto-fix: rejected'] },
  },
  'reverify-ready': { begin: { to: 'reverify' } },
  reverify: {
    'layer 1: pass': { to: 'verify-done', set: ['layer 1: PASS'] }, // `applied` is kept: cleared, it would break I1
    'layer 1: skipped': { to: 'verify-done' },
    'layer 1: fail': { to: 'verify-gate', set: ['layer 1: FAIL', 'auto-fix: stopped', 'layer 1: clamp'] }, // I4
  },

  // Step 6: Evaluate Phase (Layer 2 and Layer 3)
  'evaluate-ready': { begin: { to: 'evaluate', set: ['layer 2: anew'] } },
  evaluate: {
    'evaluation: pass': { to: 'evaluate-done', set: ['layer 2: PASS'] },
    'layer 2: fail': { to: 'evaluate-done', set: ['layer 2: FAIL'] },
    'layer 3: fail': { to: 'evaluate-done', set: ['layer 2: PASS'] },
    'evaluation: unclear': { to: 'evaluate-done' }, // the report decides, and no layer is known to have failed
    failed: orAgain('evaluate'),
  },
  'evaluate-done': {
    proceed: [
      { when: ['auto'], to: 'verdict' },
      { when: ['not auto'], to: 'session-end' },
    ],
  },

  // Step 7: Verdict & Loop
  verdict: {
    'verdict: pass': [
      { when: ['not layer 2 failed'], to: 'completed' },
      { when: ['layer 2 failed'], to: 'qa-gate' }, // line and report contradict each other: a person decides
    ],
    'verdict: fail': [
      { when: ['layer 2 failed', 'layer 2 retries left'], to: 'retry', set: ['layer 2: +1'] },
      // Layer 2 exhausted: its Fix is bounded by max_rounds as that of Layer 3 is.
      { when: ['layer 2 failed', 'not layer 2 retries left', 'rounds left'], to: 'qa-gate' },
      { when: ['layer 2 failed', 'not layer 2 retries left', 'not rounds left'], to: 'completed' },
      { when: ['not layer 2 failed', 'rounds left'], to: 'qa-gate' },
      { when: ['not layer 2 failed', 'not rounds left'], to: 'completed' },
    ],
    'verdict: none': { to: 'stopped', why: 'verdict-missing' }, // the next session finds no report and evaluates again
  },
  'qa-gate': {
    'qa: fix': [
      { when: ['rounds left'], to: 'generate-ready', set: ['next round'] },
      { when: ['not rounds left'], to: 'refused' },
    ],
    'qa: accept': { to: 'completed' },
  },

  // Step 8: Cleanup & Finalize
  completed: {
    proceed: [
      { when: ['git'], to: 'commit-gate' },
      { when: ['not git'], to: 'clean-up' },
    ],
  },
  'commit-gate': {
    'commit: code-only': { to: 'clean-up', set: ['keep choice'] },
    'commit: all': { to: 'clean-up', set: ['keep choice'] },
    'commit: none': { to: 'clean-up', set: ['keep choice'] },
  },
  'clean-up': {
    finished: { to: 'done' },
    // The next session asks again, once a person has mended it.
    refused: { to: 'stopped', set: ['phase: evaluate_done'], why: 'clean-up-refused' },
  },

  'session-end': {},
  stopped: {},
  done: {},
};

export type Row = Alternative & { readonly from: StageName; readonly on: EventName };
export const TRANSITIONS: readonly Row[] = Object.entries(TABLE).flatMap(([from, events]) =>
  Object.entries<Alternative | readonly Alternative[]>(events).flatMap(([on, alternatives]) =>
    [alternatives].flat().map((one) => ({ from: from as StageName, on: on as EventName, ...one })),
  ),
);
