// Every transition of the workflow as one table, which the machine executes: in a stage, on an event, if all conditions hold, to a stage, with
// these writes. Exactly one alternative fits each event of a stage; the compiler requires all of them, and any other event is refused.
import type { Condition, EffectName } from './rules.ts';
import { isStage, eventsIn, type EventIn, type EventName, type StageName } from './stages.ts';

export type Alternative = {
  /** All of them; none: always. */
  readonly when?: readonly Condition[];
  /** `refused`: the option is not shown. */
  readonly to: StageName | 'refused';
  /** In this order. The phase of the stage is written as well. */
  readonly set?: readonly EffectName[];
  /** Why the workflow stops. */
  readonly why?: string;
};
type Table = { readonly [N in StageName]: { readonly [E in EventIn<N>]: Alternative | readonly Alternative[] } };

/** Sessions that did not write their file are repeated, then the workflow stops for the user. */
const orRepeat = (stage: StageName): readonly Alternative[] => [
  { when: ['tries left'], to: stage, set: ['count try'] },
  { when: ['not tries left'], to: 'stopped', why: 'output-missing' },
];

const TABLE: Table = {
  // Conventions
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

  // Plan
  'plan-ready': {
    begin: [
      { when: ['single'], to: 'plan' },
      { when: ['not single'], to: 'propose' },
    ],
  },
  plan: { written: { to: 'plan-done' }, failed: orRepeat('plan') },
  propose: {
    written: [
      { when: ['multi'], to: 'critique' },
      { when: ['not multi'], to: 'synthesise' },
    ],
    failed: orRepeat('propose'),
  },
  critique: { written: { to: 'synthesise' }, failed: orRepeat('critique') },
  synthesise: { written: { to: 'plan-done' }, failed: orRepeat('synthesise') },
  'plan-done': {
    proceed: [
      { when: ['auto'], to: 'spec-gate' },
      { when: ['not auto'], to: 'session-end' },
    ],
  },

  // Hard gate: the spec is confirmed
  'spec-gate': {
    'spec: proceed': { to: 'generate-ready' },
    'spec: modify': [
      { when: ['revisions left'], to: 'revise-spec', set: ['count revision'] },
      { when: ['not revisions left'], to: 'refused' },
    ],
    'spec: stop': { to: 'stopped', why: 'stopped-at-spec' },
  },
  'revise-spec': { written: { to: 'spec-gate' }, failed: orRepeat('revise-spec') },

  // Generate
  'generate-ready': {
    begin: [
      { when: ['single'], to: 'implement' },
      { when: ['not single'], to: 'design' },
    ],
  },
  design: { written: { to: 'review' }, failed: orRepeat('design') },
  review: { written: { to: 'implement' }, failed: orRepeat('review') },
  implement: { written: { to: 'generate-done' }, failed: orRepeat('implement') },
  'generate-done': {
    proceed: [
      { when: ['not auto'], to: 'session-end' },
      { when: ['auto', 'not verify step'], to: 'evaluate-ready' },
      { when: ['auto', 'verify step'], to: 'verify-ready', set: ['layer 1: reset'] },
    ],
  },
  // The retry of either layer: Layer 1 runs again with its count, and no run style ends a run in the middle of it.
  retry: { written: { to: 'retry-done' }, failed: orRepeat('retry') },
  'retry-done': { proceed: { to: 'verify-ready', set: ['layer 1: clear'] } },

  // Verify (Layer 1)
  'verify-ready': { begin: { to: 'verify' } },
  verify: {
    'layer 1: pass': { to: 'verify-done', set: ['layer 1: PASS'] },
    'layer 1: fail': { to: 'verify-done', set: ['layer 1: FAIL'] },
    'layer 1: skipped': { to: 'verify-done' }, // the result stays null: Layer 1 was not executed
  },
  'verify-done': {
    proceed: [
      { when: ['not layer 1 failed', 'auto'], to: 'evaluate-ready' },
      { when: ['not layer 1 failed', 'not auto'], to: 'session-end' },
      { when: ['layer 1 failed', 'one step only'], to: 'session-end' }, // a generator belongs to another step
      { when: ['layer 1 failed', 'not one step only', 'layer 1 retries left'], to: 'retry', set: ['layer 1: +1'] },
      { when: ['layer 1 failed', 'not one step only', 'not layer 1 retries left'], to: 'verify-gate' },
    ],
  },

  // Hard gate: Layer 1 failed; the auto-fix, and the hard gate about its patch
  'verify-gate': {
    'verify: auto-fix': [
      { when: ['auto-fix offered'], to: 'propose-fix', set: ['auto-fix: proposed'] },
      { when: ['not auto-fix offered'], to: 'refused' }, // once per task
    ],
    'verify: continue': [
      { when: ['evaluation follows'], to: 'evaluate-ready' },
      // A style that ends here keeps the answer in the file: otherwise the next run would verify and ask again.
      { when: ['not evaluation follows'], to: 'session-end', set: ['phase: evaluate_ready'] },
    ],
    'verify: stop': { to: 'stopped', why: 'stopped-at-verify' },
  },
  'propose-fix': {
    'patch: written': { to: 'auto-fix-gate' },
    'patch: empty': { to: 'verify-gate', set: ['auto-fix: rejected'] },
  },
  'auto-fix-gate': {
    'auto-fix: apply': { to: 'apply-patch' }, // still `proposed`: `applied` means that it is in the tree
    'auto-fix: reject': { to: 'verify-gate', set: ['auto-fix: rejected'] },
    'auto-fix: stop': { to: 'stopped', set: ['auto-fix: rejected'], why: 'stopped-at-auto-fix' },
  },
  'apply-patch': {
    'patch: applied': { to: 'reverify-ready', set: ['auto-fix: applied'] },
    'patch: refused': { to: 'verify-gate', set: ['auto-fix: rejected'] },
  },
  'reverify-ready': { begin: { to: 'reverify' } },
  reverify: {
    'layer 1: pass': { to: 'verify-done', set: ['layer 1: PASS'] }, // `applied` is kept: the attempt is spent
    'layer 1: skipped': { to: 'verify-done' },
    'layer 1: fail': { to: 'verify-gate', set: ['layer 1: FAIL', 'auto-fix: stopped', 'layer 1: clamp'] }, // no more retries than allowed
  },

  // Evaluate (Layer 2 and Layer 3)
  'evaluate-ready': { begin: { to: 'evaluate', set: ['layer 2: clear'] } },
  evaluate: {
    'evaluation: pass': { to: 'evaluate-done', set: ['layer 2: PASS'] },
    'layer 2: fail': { to: 'evaluate-done', set: ['layer 2: FAIL'] },
    'layer 3: fail': { to: 'evaluate-done', set: ['layer 2: PASS'] },
    'evaluation: unclear': { to: 'evaluate-done' }, // the report decides; no layer is known to have failed
    // Its report is removed. Another evaluator is sent once, then the user decides.
    'evaluation: void': [
      { when: ['first try'], to: 'evaluate', set: ['count try'] },
      { when: ['not first try', 'auto'], to: 'qa-gate' },
      { when: ['not first try', 'not auto'], to: 'stopped', why: 'verdict-missing' }, // no generator in this step
    ],
    failed: orRepeat('evaluate'),
  },
  'evaluate-done': {
    proceed: [
      { when: ['auto'], to: 'verdict' },
      { when: ['not auto'], to: 'session-end' },
    ],
  },

  // Verdict, and another round
  verdict: {
    'verdict: pass': [
      { when: ['not layer 2 failed'], to: 'completed' },
      { when: ['layer 2 failed'], to: 'qa-gate' }, // the line and the report contradict each other: the user decides
    ],
    'verdict: fail': [
      { when: ['layer 2 failed', 'layer 2 retries left'], to: 'retry', set: ['layer 2: +1'] },
      // Layer 2 has no retries left: its fix is limited by max_rounds as that of Layer 3 is.
      { when: ['layer 2 failed', 'not layer 2 retries left', 'rounds left'], to: 'qa-gate' },
      { when: ['layer 2 failed', 'not layer 2 retries left', 'not rounds left'], to: 'completed' },
      { when: ['not layer 2 failed', 'rounds left'], to: 'qa-gate' },
      { when: ['not layer 2 failed', 'not rounds left'], to: 'completed' },
    ],
    'verdict: none': { to: 'stopped', why: 'verdict-missing' }, // the next run finds no report and evaluates again
  },
  'qa-gate': {
    'qa: fix': [
      { when: ['rounds left'], to: 'generate-ready', set: ['next round'] },
      { when: ['not rounds left'], to: 'refused' },
    ],
    'qa: accept': { to: 'completed' },
    'qa: stop': [
      { when: ['not rounds left'], to: 'stopped', why: 'stopped-at-qa' },
      { when: ['rounds left'], to: 'refused' },
    ],
  },

  // Clean-up
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
    // The next run asks again, once the user has fixed the cause.
    refused: { to: 'stopped', set: ['phase: evaluate_done'], why: 'clean-up-refused' },
  },

  'session-end': {},
  stopped: {},
  done: {},
};

export type Row = Alternative & { readonly from: StageName; readonly on: EventName };
type Alternatives = { readonly [on: string]: Alternative | readonly Alternative[] };
const rowsIn = (from: StageName, events: Alternatives): readonly Row[] =>
  eventsIn(from).flatMap((on) => [events[on] ?? []].flat().map((one) => ({ from, on, ...one })));
export const TRANSITIONS: readonly Row[] = Object.entries<Alternatives>(TABLE).flatMap(([from, events]) =>
  isStage(from) ? rowsIn(from, events) : [],
);
