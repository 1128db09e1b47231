// The stages of the workflow: which phase each stands in, what it waits for, and which events can come of that. A phase of the reference
// is one or more stages, since its file has no room for what is under way within a phase.
import { answersOf, type AnswerName, type Confidence, type GateName } from './gates.ts';
import type { Phase } from '../file/state.ts';

/** What a stage can wait for, and what can come of it. */
export const COMES_OF = {
  /** Whatever must stand before the sessions of a phase begin: `*_ready` → `*ing`. */
  begin: ['begin'],
  /** A phase is done: `*_done` → the next `*_ready`, or by run style the end of the session. */
  proceed: ['proceed'],
  /** Sessions side by side. `written`: all have written what they were to write · `failed`: one has not. */
  sessions: ['written', 'failed'],
  /** Step 1.5. `settled`: the file says already what is so. */
  conventions: ['conventions: found', 'conventions: settled', 'conventions: none'],
  /** Layer 1, run by the harness. `skipped`: there is no command to run. */
  'layer 1': ['layer 1: pass', 'layer 1: fail', 'layer 1: skipped'],
  /** `empty`: no patch file, or one without a diff block or a hunk. */
  proposal: ['patch: written', 'patch: empty'],
  /** `refused`: a path or a hunk does not fit; the work tree is as before. */
  patch: ['patch: applied', 'patch: refused'],
  /** The evaluator's first line (Step 6.6). `unclear`: it says neither · `failed`: no report with a verdict was written. */
  evaluation: ['evaluation: pass', 'layer 2: fail', 'layer 3: fail', 'evaluation: unclear', 'failed'],
  /** The verdict of qa_report.md (Step 7). */
  verdict: ['verdict: pass', 'verdict: fail', 'verdict: none'],
  /** Step 8. `refused`: the safety guard, or git, would not. */
  'clean-up': ['finished', 'refused'],
  nothing: [],
} as const;
export type Want = keyof typeof COMES_OF;
export type EventName = (typeof COMES_OF)[Want][number] | AnswerName;

export type WorkflowEvent = {
  readonly on: EventName;
  /** ISO 8601. */
  readonly at: string;
  /** First line of what a session or a check returned, for the person and for a retry. */
  readonly line?: string;
  readonly confidence?: Confidence;
};

type StageRow = { readonly phase: Phase | null } & ({ readonly wants: Want } | { readonly asks: GateName });

/** `phase` null: the file keeps the phase that it has. */
export const STAGES = {
  conventions: { phase: 'plan_ready', wants: 'conventions' },
  'conventions-gate': { phase: 'plan_ready', asks: 'conventions' },
  scan: { phase: 'plan_ready', wants: 'sessions' },
  'scan-gate': { phase: 'plan_ready', asks: 'scan' },

  'plan-ready': { phase: 'plan_ready', wants: 'begin' },
  plan: { phase: 'planning', wants: 'sessions' }, // mode single; the others have the three below
  propose: { phase: 'planning', wants: 'sessions' },
  critique: { phase: 'planning', wants: 'sessions' },
  synthesise: { phase: 'planning', wants: 'sessions' },
  'plan-done': { phase: 'plan_done', wants: 'proceed' },
  'spec-gate': { phase: 'plan_done', asks: 'spec' },
  'revise-spec': { phase: 'plan_done', wants: 'sessions' },

  'generate-ready': { phase: 'generate_ready', wants: 'begin' },
  design: { phase: 'generating', wants: 'sessions' },
  review: { phase: 'generating', wants: 'sessions' },
  implement: { phase: 'generating', wants: 'sessions' },
  'generate-done': { phase: 'generate_done', wants: 'proceed' },
  retry: { phase: 'generating', wants: 'sessions' }, // one implementation session: no re-plan, no re-review
  'retry-done': { phase: 'generate_done', wants: 'proceed' },

  'verify-ready': { phase: 'verify_ready', wants: 'begin' },
  verify: { phase: 'verifying', wants: 'layer 1' },
  'verify-done': { phase: 'verify_done', wants: 'proceed' },
  'verify-gate': { phase: 'verify_done', asks: 'verify' }, // the 1st HARD-GATE
  'propose-fix': { phase: 'verify_done', wants: 'proposal' },
  'auto-fix-gate': { phase: 'verify_done', asks: 'auto-fix' }, // the 2nd HARD-GATE
  'apply-patch': { phase: 'verify_done', wants: 'patch' },
  'reverify-ready': { phase: 'verify_ready', wants: 'begin' }, // after a patch: it counts as no retry
  reverify: { phase: 'verifying', wants: 'layer 1' },

  'evaluate-ready': { phase: 'evaluate_ready', wants: 'begin' },
  evaluate: { phase: 'evaluating', wants: 'evaluation' },
  'evaluate-done': { phase: 'evaluate_done', wants: 'proceed' },
  verdict: { phase: 'evaluate_done', wants: 'verdict' },
  'qa-gate': { phase: 'evaluate_done', asks: 'qa' },

  completed: { phase: 'completed', wants: 'proceed' },
  'commit-gate': { phase: 'completed', asks: 'commit' },
  'clean-up': { phase: 'completed', wants: 'clean-up' },

  'session-end': { phase: null, wants: 'nothing' }, // by run style; the next session goes on
  stopped: { phase: null, wants: 'nothing' },
  done: { phase: null, wants: 'nothing' },
} as const satisfies { readonly [name: string]: StageRow };
export type StageName = keyof typeof STAGES;
export const STAGE_NAMES = Object.keys(STAGES) as readonly StageName[];

/** The events that can come in a stage; whatever else is said there is refused. */
export type Heard<N extends StageName> = (typeof STAGES)[N] extends { readonly asks: infer G extends GateName }
  ? Extract<AnswerName, `${G}: ${string}`>
  : (typeof STAGES)[N] extends { readonly wants: infer W extends Want }
    ? (typeof COMES_OF)[W][number]
    : never;
export function heardIn(stage: StageName): readonly EventName[] {
  const row: StageRow = STAGES[stage];
  return 'asks' in row ? answersOf(row.asks) : COMES_OF[row.wants];
}
export const gateOf = (stage: StageName): GateName | null => {
  const row: StageRow = STAGES[stage];
  return 'asks' in row ? row.asks : null;
};
export const phaseOf = (stage: StageName): Phase | null => STAGES[stage].phase;
