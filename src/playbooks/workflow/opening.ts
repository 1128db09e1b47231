// What a command meets where a state.json may be (reference 004, Session Recovery; Step Mode Prerequisites), and what the answers to its two
// questions mean. Nothing is deleted without an answer.
import { resumed, type Facts } from './table/resume.ts';
import type { S } from './table/next.ts';
import type { FoundState } from './file/read.ts';
import type { Step } from './table/mem.ts';
import { isV1, PHASES, resolved, type Phase, type StateFile, type WorkflowFile } from './file/state.ts';

export const OPENING_GATES = {
  session: { header: 'Session', options: ['resume', 'restart', 'stop'], recommended: 'resume' },
  conflict: { header: 'Session Conflict', options: ['delete', 'cancel'], recommended: 'cancel' },
} as const;
export type OpeningGate = keyof typeof OPENING_GATES;
type OpeningAnswer = { [G in OpeningGate]: `${G}: ${(typeof OPENING_GATES)[G]['options'][number]}` }[OpeningGate];

export type Opening =
  /** Step 1. `known`: what an unfinished set-up wrote. */
  | { readonly do: 'set-up'; readonly known: StateFile | null }
  | { readonly do: 'ask'; readonly gate: OpeningGate }
  | { readonly do: 'go-on'; readonly s: S }
  /** The workflow's files in `.harness/` go, then Step 1. */
  | { readonly do: 'restart'; readonly why: 'answered' | 'docs-path-invalid' }
  /** It ends. `deletes`: after the workflow's files have gone. */
  | { readonly do: 'halt'; readonly deletes: boolean }
  /** "Run {first} first". `missing`: files under docs_path. */
  | { readonly do: 'refuse'; readonly first: Step; readonly missing: readonly Artifact[] }
  | { readonly do: 'refuse-path'; readonly path: string };

export type Artifact = 'spec.md' | 'changes.md' | 'verify_report.md';
const FACT: { readonly [A in Artifact]: 'spec' | 'changes' | 'verifyReport' } = {
  'spec.md': 'spec',
  'changes.md': 'changes',
  'verify_report.md': 'verifyReport',
};
type Prerequisite = { readonly files: readonly Artifact[]; readonly from: Phase; readonly first: Step };
type LaterStep = Exclude<Step, 'plan'>;
/** Step Mode Prerequisites. `plan` has none. */
export const PREREQUISITES: { readonly [N in LaterStep]: Prerequisite } = {
  generate: { files: ['spec.md'], from: 'plan_done', first: 'plan' },
  verify: { files: ['changes.md'], from: 'generate_done', first: 'generate' },
  evaluate: { files: ['spec.md', 'changes.md', 'verify_report.md'], from: 'verify_done', first: 'verify' },
};

/** `hasTask`: a new task is named as well, so a session that is there is in its way. */
export type Command = { readonly step: Step | null; readonly hasTask: boolean };

/** `found` null: there is no state.json. */
export function opening(found: FoundState | null, { step, hasTask }: Command, facts: Facts): Opening {
  if (found?.kind === 'foreign') return { do: 'ask', gate: 'conflict' };
  const file = found?.file ?? null;
  const phase = file === null ? null : resolved(file).phase;
  const isUnderWay = file !== null && phase !== 'completed'; // completed: no active session
  // A session that is in the way of a new task is asked about first; v1 knows no named steps.
  const isAsked = isUnderWay && (hasTask || isV1(file));
  if (hasPrerequisites(step) && !isAsked) return named(step, isUnderWay ? file : null, facts);
  return isUnderWay ? { do: 'ask', gate: 'session' } : { do: 'set-up', known: null };
}

const hasPrerequisites = (step: Step | null): step is LaterStep => step !== null && step !== 'plan';

/** What a named step lacks: what comes before it, and the files that are not there; null: nothing. */
export function lacking(
  step: Step | null,
  phase: Phase | null,
  facts: Facts,
): { readonly first: Step; readonly missing: readonly Artifact[] } | null {
  if (!hasPrerequisites(step)) return null;
  const { files, from, first } = PREREQUISITES[step];
  const missing = files.filter((name) => !facts[FACT[name]]);
  const isEarly = phase === null || PHASES.indexOf(phase) < PHASES.indexOf(from);
  return isEarly || missing.length > 0 ? { first, missing } : null;
}

/** A step that is named without a task has said what is wanted: nothing is asked. */
function named(step: LaterStep, file: WorkflowFile | null, facts: Facts): Opening {
  const lacks = lacking(step, file === null ? null : resolved(file).phase, facts);
  if (file === null || lacks !== null) return { do: 'refuse', first: 'plan', missing: [], ...lacks };
  if (!facts.isDocsPathValid) return { do: 'refuse-path', path: resolved(file).docs_path };
  const where = resumed(file, facts, step);
  return typeof where === 'object'
    ? { do: 'go-on', s: where.s }
    : { do: 'refuse', first: PREREQUISITES[step].first, missing: [] };
}

/** `file` null: the session of another skill. */
export function answered(answer: OpeningAnswer, file: WorkflowFile | null, step: Step | null, facts: Facts): Opening {
  switch (answer) {
    case 'conflict: delete':
    case 'session: restart':
      return { do: 'restart', why: 'answered' };
    case 'conflict: cancel':
      return { do: 'halt', deletes: false };
    case 'session: stop':
      return { do: 'halt', deletes: true };
    default: {
      if (!facts.isDocsPathValid) return { do: 'restart', why: 'docs-path-invalid' };
      if (hasPrerequisites(step) && file !== null && !isV1(file)) return named(step, file, facts);
      const where = file === null ? 'set-up' : resumed(file, facts, step);
      if (typeof where === 'object') return { do: 'go-on', s: where.s };
      const isUnfinished = file !== null && !isV1(file) && resolved(file).phase === null;
      return { do: 'set-up', known: isUnfinished ? file : null };
    }
  }
}

/** "Read phase, suggest next step"; null: the verdict, or nothing. */
export const NEXT_STEP: { readonly [P in Phase]: Step | null } = {
  plan_ready: 'plan',
  planning: 'plan',
  plan_done: 'generate',
  generate_ready: 'generate',
  generating: 'generate',
  generate_done: 'verify',
  verify_ready: 'verify',
  verifying: 'verify',
  verify_done: 'evaluate',
  evaluate_ready: 'evaluate',
  evaluating: 'evaluate',
  evaluate_done: null,
  completed: null,
};
