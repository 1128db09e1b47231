// Every shape of what comes of an action of the tasks machine, as performers and procedures of the product hand it back.
import type { ActionOf } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';
import { failure } from '../../src/model/failure.ts';
import type { Accepted, CutReason, Preflight, Put, Work } from '../../src/playbooks/session/facts.ts';
import type { TaskFacts } from '../../src/playbooks/tasks/facts.ts';
import type { Back, Heard, Recovered } from '../../src/playbooks/tasks/positions.ts';
import { checkpoint, facts, failing, problem, strength, usage, verdict } from '../support/outcomes.ts';

export type Action = ActionOf<Actions>;
const lost = failure('agent-rate-limited');
const noLogin = failure('agent-auth');
const noEnvironment = failure('init-failed', { command: './harness-init.sh', exit: 7, tail: '' });
const proof = { command: 'npm test', timeoutMs: 1_000 };
const over = { scope: 'feature', spentUsd: 26, limitUsd: 25, baseUsd: 25 } as const;
const step = { step: 1, total: 2, description: 'made the routes', timestamp: 'then' };

const taskFacts = (task: Partial<TaskFacts['task']> = {}, more: Parameters<typeof facts>[0] = {}): TaskFacts => ({
  ...facts({ id: 'task-001', testFile: null, ...more }),
  task: {
    status: 'pending',
    attempts: 0,
    maxAttempts: 3,
    errorLog: [],
    checkpoints: [],
    base: null,
    cleanup: null,
    run: 4,
    ...task,
  },
});
const partial = { session: 2, reason: 'timeout', base: 'b' };
const cut = taskFacts({ status: 'in_progress', base: 'c0ffee' }, { proof });
export const FACTS: readonly TaskFacts[] = [
  taskFacts({}, { proof }),
  taskFacts(),
  cut,
  taskFacts({ status: 'in_progress', base: 'c0ffee', checkpoints: [step] }, { proof, partial }),
  taskFacts({ status: 'failed', attempts: 2, errorLog: ['[TEST_FAIL] x'], cleanup: 'docker compose down' }, { proof }),
];
const SURVEYS = [
  ...FACTS.map((one) => ({ facts: one, failure: null })),
  { facts: null, failure: failure('item-unknown', { item: 'task-001' }) },
];

const CUTS: readonly CutReason[] = ['timeout', 'context_limit', 'stuck', 'user_pause', 'budget', 'error', 'incomplete'];
const rejected = { end: 'rejected', regressions: [], evidence: null, text: '' } as const;
const PREFLIGHTS: readonly Preflight[] = [
  ...FACTS.map((one) => ({ ready: true as const, facts: one, firstTask: [], stash: null })),
  { ready: true, facts: cut, firstTask: [problem('regression')], stash: 's' },
  { ready: false, failure: noEnvironment },
  { ready: false, failure: failure('dirty-tree') },
  { ready: false, failure: failure('budget-exhausted'), over },
];
const WORKS: readonly Work[] = [
  { end: 'holds', verdict: verdict(), strength: strength(), text: 'Done.' },
  { end: 'doubtful', verdict: verdict(), strength: strength({ doubts: [problem('test-not-red')] }), text: '' },
  ...CUTS.map((why): Work => ({ end: 'unfinished', why, text: 'so far' })),
  { end: 'unfinished', why: 'error', failure: lost, text: '' },
  { ...rejected, reason: 'tests-failed', problems: failing().problems, evidence: 'e' },
  { ...rejected, reason: 'check-timed-out', problems: [problem('check-timed-out', { limit: 1 })] },
  { ...rejected, reason: 'command-missing', problems: [problem('command-missing')] },
  { ...rejected, reason: 'output-limit', problems: [] },
  { end: 'agent-failed', failure: lost, text: '' },
  { end: 'agent-failed', failure: noLogin, text: '' },
];
const found = { action: 'as found', reason: 'because', checkpoints: [step], base: checkpoint, usage, run: 5 };
const why = { reason: 'session-lost', problems: [], regressions: [], evidence: null, failure: null };
const error = { category: 'SESSION_TIMEOUT', message: 'No progress detected' } as const;
const RECOVERED: readonly Recovered[] = [
  { ...found, end: 'holds', verdict: verdict(), strength: strength() },
  { ...found, end: 'holds', verdict: verdict(), strength: null },
  { ...found, end: 'holds', verdict: verdict(), strength: strength({ doubts: [problem('test-not-red')] }) },
  { ...found, end: 'resume' },
  { ...found, end: 'failed', error, why, isLast: false },
  { ...found, end: 'failed', error, why: { ...why, problems: [problem('tests-failed')] }, isLast: true },
  { ...found, end: 'blocked', failure: noEnvironment },
];
const ACCEPTED: readonly (Accepted & Heard)[] = [
  { commit: 'landed', usage, bundle: '', pushFailure: null, checkpoints: [] },
  { commit: 'landed', usage, bundle: 'b', pushFailure: failure('agent-network'), checkpoints: [step] },
  { commit: null, usage, refused: [problem('harness-file-edited')], checkpoints: [] },
  { commit: null, usage, refused: [], checkpoints: [step] },
];
const PUTS: readonly (Put & Heard)[] = [
  { usage, commit: 'wip', checkpoints: [step] },
  { usage, commit: 'wip', over, checkpoints: [] },
  { usage, commit: null, refused: problem('nested-repository', { path: 'vendor' }), checkpoints: [] },
];
export const BACK: readonly Back[] = [
  { usage, base: 'c0ffee', attempt: 'refs/a', isCleanupFailing: false, checkpoints: [] },
  { usage, base: 'c0ffee', attempt: null, isCleanupFailing: true, checkpoints: [step] },
];
const PROCEDURES: { readonly [name: string]: readonly object[] } = {
  preflight: PREFLIGHTS,
  recover: RECOVERED,
  execute: WORKS,
  accept: ACCEPTED,
  save: PUTS,
  undo: BACK,
};

/** Every shape that the performers and procedures of the product hand back. */
export function outcomes(action: Action): readonly object[] {
  switch (action.kind) {
    case 'procedure':
      return (PROCEDURES[action.procedure] ?? []).map((output) => ({ output }));
    case 'survey':
      return SURVEYS.map((one) => ({ facts: one }));
    case 'checkpoint':
      return [checkpoint];
    case 'ask':
      return action.options.map(({ id }) => ({ option: id, note: 'because', by: 'anna', at: 'then' }));
    case 'write':
      return [{ written: [] }, { written: ['harness-tasks.json'] }];
    case 'remember':
      return [{ file: 'costs.yaml' }];
    default:
      throw new Error(`the tasks machine wants no ${action.kind}`);
  }
}
