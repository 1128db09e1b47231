// The stages of the workflow: the phase of each, the work or question it waits for, and the events that can result. A phase of state.json is
// one or more stages, since the file does not say what is under way within a phase.
import type { Phase } from '../file/state.ts';
import { answersOf, type AnswerName, type Confidence, type GateName, CONFIDENCES } from './gates.ts';
import { z } from 'zod';
import { overspentSchema } from '../../../model/budget.ts';
import { failureSchema } from '../../../model/failure.ts';
import { proofSummarySchema } from '../../../model/proof.ts';
import { usageSchema } from '../../../model/usage.ts';
import { problemsSchema } from '../../../model/verdict.ts';

/** Kinds of work, and the events that can result. */
const EVENTS_OF = {
  /** Whether the sessions of a phase may start: `*_ready` → `*ing`. */
  begin: ['begin'],
  /** A phase is done: `*_done` → the next `*_ready`, or the end of the run by its style. */
  proceed: ['proceed'],
  /** Sessions in parallel. `written`: all wrote their file · `failed`: one did not. */
  sessions: ['written', 'failed'],
  /** `settled`: the file is right as it is. */
  conventions: ['conventions: found', 'conventions: settled', 'conventions: none'],
  /** Layer 1, run by the harness. `skipped`: there is no command to run. */
  'layer 1': ['layer 1: pass', 'layer 1: fail', 'layer 1: skipped'],
  /** `empty`: no patch file, or one without a diff block or a hunk. */
  proposal: ['patch: written', 'patch: empty'],
  /** `refused`: a path or a hunk does not fit; the work tree is unchanged. */
  patch: ['patch: applied', 'patch: refused'],
  /**
   * The evaluator's first line. `unclear`: it is neither PASS nor FAIL · `void`: it changed the work that it judged · `failed`: no report
   * with a verdict was written.
   */
  evaluation: [
    'evaluation: pass',
    'layer 2: fail',
    'layer 3: fail',
    'evaluation: unclear',
    'evaluation: void',
    'failed',
  ],
  /** The verdict of qa_report.md. */
  verdict: ['verdict: pass', 'verdict: fail', 'verdict: none'],
  /** `refused`: by the safety guard, or by git. */
  'clean-up': ['finished', 'refused'],
  nothing: [],
} as const;
export type Want = keyof typeof EVENTS_OF;
export type EventName = (typeof EVENTS_OF)[Want][number] | AnswerName;

export type WorkflowEvent = {
  readonly on: EventName;
  /** ISO 8601. */
  readonly at: string;
  /** The first line that a session or a check returned. */
  readonly line?: string | undefined;
  readonly confidence?: Confidence | undefined;
};

type StageRow = { readonly phase: Phase | null } & ({ readonly wants: Want } | { readonly asks: GateName });

/** `phase` null: the file keeps the phase that it has. */
export const STAGES = {
  conventions: { phase: 'plan_ready', wants: 'conventions' },
  'conventions-gate': { phase: 'plan_ready', asks: 'conventions' },
  scan: { phase: 'plan_ready', wants: 'sessions' },
  'scan-gate': { phase: 'plan_ready', asks: 'scan' },

  'plan-ready': { phase: 'plan_ready', wants: 'begin' },
  plan: { phase: 'planning', wants: 'sessions' }, // mode single; the other modes have the three below
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
  retry: { phase: 'generating', wants: 'sessions' }, // one implementation session: no second plan, no second review
  'retry-done': { phase: 'generate_done', wants: 'proceed' },

  'verify-ready': { phase: 'verify_ready', wants: 'begin' },
  verify: { phase: 'verifying', wants: 'layer 1' },
  'verify-done': { phase: 'verify_done', wants: 'proceed' },
  'verify-gate': { phase: 'verify_done', asks: 'verify' }, // the first hard gate
  'propose-fix': { phase: 'verify_done', wants: 'proposal' },
  'auto-fix-gate': { phase: 'verify_done', asks: 'auto-fix' }, // the second hard gate
  'apply-patch': { phase: 'verify_done', wants: 'patch' },
  'reverify-ready': { phase: 'verify_ready', wants: 'begin' }, // after a patch: it does not count as a retry
  reverify: { phase: 'verifying', wants: 'layer 1' },

  'evaluate-ready': { phase: 'evaluate_ready', wants: 'begin' },
  evaluate: { phase: 'evaluating', wants: 'evaluation' },
  'evaluate-done': { phase: 'evaluate_done', wants: 'proceed' },
  verdict: { phase: 'evaluate_done', wants: 'verdict' },
  'qa-gate': { phase: 'evaluate_done', asks: 'qa' },

  completed: { phase: 'completed', wants: 'proceed' },
  'commit-gate': { phase: 'completed', asks: 'commit' },
  'clean-up': { phase: 'completed', wants: 'clean-up' },

  'session-end': { phase: null, wants: 'nothing' }, // by run style; the next run continues
  stopped: { phase: null, wants: 'nothing' },
  done: { phase: null, wants: 'nothing' },
} as const satisfies { readonly [name: string]: StageRow };
export type StageName = keyof typeof STAGES;
export const isStage = (name: string): name is StageName => Object.hasOwn(STAGES, name);
export const STAGE_NAMES: readonly StageName[] = Object.keys(STAGES).filter(isStage);

/** The events that can occur in a stage; any other is refused. */
export type EventIn<N extends StageName> = (typeof STAGES)[N] extends { readonly asks: infer G extends GateName }
  ? Extract<AnswerName, `${G}: ${string}`>
  : (typeof STAGES)[N] extends { readonly wants: infer W extends Want }
    ? (typeof EVENTS_OF)[W][number]
    : never;
export function eventsIn(stage: StageName): readonly EventName[] {
  const row: StageRow = STAGES[stage];
  return 'asks' in row ? answersOf(row.asks) : EVENTS_OF[row.wants];
}
export const EVENT_NAMES: readonly EventName[] = [...new Set(STAGE_NAMES.flatMap(eventsIn))];

/** The question of a stage; null: it waits for work. */
export const gateOf = (stage: StageName): GateName | null => {
  const row: StageRow = STAGES[stage];
  return 'asks' in row ? row.asks : null;
};
/** The work of a stage; null: it asks a question. */
export const wantOf = (stage: StageName): Want | null => {
  const row: StageRow = STAGES[stage];
  return 'wants' in row ? row.wants : null;
};
export const phaseOf = (stage: StageName): Phase | null => STAGES[stage].phase;

const eventResult = z.object({
  on: z.enum(EVENT_NAMES),
  /** The line to show and to hand to a retry; left out: there is none. */
  line: z.string().optional(),
  confidence: z.enum(CONFIDENCES).optional(),
  /** How many session numbers were used. */
  sessions: z.number().optional(),
  /** Of Layer 1, where it passed. */
  evidence: z.string().nullable().optional(),
  paths: z.array(z.string()).readonly().optional(),
  diff: z.string().nullable().optional(),
  problems: problemsSchema.optional(),
  /** Of a patch that is not applied. `why`: a code with a sentence, or git's own words. `path`: of the file that is not allowed; '': it is none. */
  refused: z.object({ why: z.string(), path: z.string() }).optional(),
  /** Of Layer 1, where it passed: how strong it proves the work, what a user must decide, and the tree that passed. */
  proved: z.object({ proof: proofSummarySchema, doubts: problemsSchema, tree: z.string() }).optional(),
  /** Of work that landed. */
  proof: proofSummarySchema.optional(),
  usage: usageSchema.optional(),
  commit: z.string().nullable().optional(),
});
export type EventResult = z.output<typeof eventResult>;

/** The result of a stage's work: an event with what the next stage or the user needs, or the reason why nothing was done. */
export const stageResult = z.union([
  eventResult,
  /** The agent's provider is not available. */
  z.object({ outage: failureSchema, sessions: z.number(), usage: usageSchema.optional() }),
  /** A budget is used up: no session was started. */
  z.object({ over: overspentSchema }),
]);
export type StageResult = z.output<typeof stageResult>;
