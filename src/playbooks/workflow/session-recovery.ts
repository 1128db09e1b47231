// What a command does about a state.json that may exist, and what the answers to its two questions mean. Nothing is deleted without an answer.
import type { FoundState } from './file/read.ts';
import { isV1, PHASES, resolved, type Phase, type StateFile, type WorkflowFile } from './file/state.ts';
import type { TableState } from './table/next.ts';
import { resumed, type StartFacts } from './table/resume.ts';
import type { NamedStep } from './file/run-options.ts';

export const START_GATES = {
  session: { header: 'Session', options: ['resume', 'restart', 'stop'], recommended: 'resume' },
  conflict: { header: 'Session Conflict', options: ['delete', 'cancel'], recommended: 'cancel' },
} as const;
export type StartGate = keyof typeof START_GATES;
type StartAnswer = { [G in StartGate]: `${G}: ${(typeof START_GATES)[G]['options'][number]}` }[StartGate];

export type StartDecision =
  /** `known`: what an unfinished set-up wrote; null: there was none. */
  | { readonly do: 'set-up'; readonly known: StateFile | null }
  | { readonly do: 'ask'; readonly gate: StartGate }
  | { readonly do: 'continue'; readonly s: TableState }
  /** The workflow's files in `.harness/` are removed, then a new task is set up. */
  | { readonly do: 'restart'; readonly why: 'answered' | 'docs-path-invalid' }
  /** Nothing is started. `deletes`: the workflow's files are removed first. */
  | { readonly do: 'halt'; readonly deletes: boolean }
  /** The step `first` comes before. `missing`: files in docs_path. */
  | { readonly do: 'refuse'; readonly first: NamedStep; readonly missing: readonly TaskDocument[] }
  | { readonly do: 'refuse-path'; readonly path: string };

export type TaskDocument = 'spec.md' | 'changes.md' | 'verify_report.md';
const FACT: { readonly [D in TaskDocument]: 'spec' | 'changes' | 'verifyReport' } = {
  'spec.md': 'spec',
  'changes.md': 'changes',
  'verify_report.md': 'verifyReport',
};
type Prerequisite = { readonly files: readonly TaskDocument[]; readonly from: Phase; readonly first: NamedStep };
type LaterStep = Exclude<NamedStep, 'plan'>;
/** `plan` has none. */
export const PREREQUISITES: { readonly [N in LaterStep]: Prerequisite } = {
  generate: { files: ['spec.md'], from: 'plan_done', first: 'plan' },
  verify: { files: ['changes.md'], from: 'generate_done', first: 'generate' },
  evaluate: { files: ['spec.md', 'changes.md', 'verify_report.md'], from: 'verify_done', first: 'verify' },
};

/** `hasTask`: the command names a new task, which an existing session is in the way of. */
export type StartRequest = { readonly step: NamedStep | null; readonly hasTask: boolean };

/** `found` null: there is no state.json. */
export function startDecision(
  found: FoundState | null,
  { step, hasTask }: StartRequest,
  facts: StartFacts,
): StartDecision {
  if (found?.kind === 'foreign') return { do: 'ask', gate: 'conflict' };
  const file = found?.file ?? null;
  const isUnderWay = file !== null && resolved(file).phase !== 'completed';
  // Version 1 has no named steps.
  const isAsked = isUnderWay && (hasTask || isV1(file));
  if (hasPrerequisites(step) && !isAsked) return named(step, isUnderWay ? file : null, facts);
  return isUnderWay ? { do: 'ask', gate: 'session' } : { do: 'set-up', known: null };
}

const hasPrerequisites = (step: NamedStep | null): step is LaterStep => step !== null && step !== 'plan';

/** What a named step needs and does not have: the step before it, and missing files. null: it has everything. */
export function missingBefore(
  step: NamedStep | null,
  phase: Phase | null,
  facts: StartFacts,
): { readonly first: NamedStep; readonly missing: readonly TaskDocument[] } | null {
  if (!hasPrerequisites(step)) return null;
  const { files, from, first } = PREREQUISITES[step];
  const missing = files.filter((name) => !facts[FACT[name]]);
  const isEarly = phase === null || PHASES.indexOf(phase) < PHASES.indexOf(from);
  return isEarly || missing.length > 0 ? { first, missing } : null;
}

/** A step that is named without a new task needs no question. */
function named(step: LaterStep, file: WorkflowFile | null, facts: StartFacts): StartDecision {
  const lacking = missingBefore(step, file === null ? null : resolved(file).phase, facts);
  if (file === null || lacking !== null) return { do: 'refuse', first: 'plan', missing: [], ...lacking };
  if (!facts.isDocsPathValid) return { do: 'refuse-path', path: resolved(file).docs_path };
  const result = resumed(file, facts, step);
  return typeof result === 'object'
    ? { do: 'continue', s: result.s }
    : { do: 'refuse', first: PREREQUISITES[step].first, missing: [] };
}

/** `file` null: the state of another skill. */
export function decisionAfter(
  answer: StartAnswer,
  file: WorkflowFile | null,
  step: NamedStep | null,
  facts: StartFacts,
): StartDecision {
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
      const result = file === null ? 'set-up' : resumed(file, facts, step);
      if (typeof result === 'object') return { do: 'continue', s: result.s };
      const isUnfinished = file !== null && !isV1(file) && resolved(file).phase === null;
      return { do: 'set-up', known: isUnfinished ? file : null };
    }
  }
}

/** The step that a phase suggests; null: none. */
export const NEXT_STEP: { readonly [P in Phase]: NamedStep | null } = {
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
