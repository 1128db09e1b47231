// A cleanup session: what is measured, what the agent may not change, and how the session ends.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import {
  checkpoint,
  failing,
  itemOutcome,
  problem,
  strength,
  turn,
  usage,
  verdict,
} from '../../../test/support/outcomes.ts';
import type { Answers } from '../../../test/support/run.ts';
import { performStage, stateAfter } from '../../../test/support/stage.ts';
import type { Config } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import { emptySessionState, type SessionStateFile } from '../session/session-state.ts';
import { cleanupMachine } from './cleanup.ts';

const AT = '2026-01-01T01:00:00.000Z';
const machineOf = (config: Config) => cleanupMachine({ item: 'cleanup', session: 11, lane: 0, run: 'r', config });
type Position = ReturnType<ReturnType<typeof machineOf>['place']>['at'];
const perform = (at: Position, answers: Answers, config = configOf(), paused = false) =>
  performStage(machineOf(config), { file: emptySessionState(''), at, mem: { paused } }, answers, config);
const begun = { checkpoint, startedAt: 'began' };
const untidy = { largeFiles: [{ path: 'a.ts', lines: 900 }], lint: null };

describe('before a cleanup', () => {
  const GOOD: Answers = {
    abandon: { isAbandoned: false, attempt: null },
    'git-state': { facts: { failure: null } },
    check: verdict(),
    remember: { file: '' },
    budget: { facts: { failure: null, over: null } },
    'features.large-files': { facts: { largeFiles: untidy.largeFiles } },
    checkpoint,
  };
  const prepare = (answers: Answers = {}) => perform({ stage: 'prepare' }, { ...GOOD, ...answers });
  const ALL = [
    'abandon',
    'git-state',
    'init',
    'health',
    'baseline',
    'take-baseline',
    'budget',
    'features.large-files',
    'lint',
    'checkpoint',
  ];

  test('the project must hold as a whole; then it is measured, and the checkpoint is taken', async () => {
    const { out, steps, asked } = await prepare();
    expect(steps).toEqual(ALL);
    expect(asked('budget')).toMatchObject({ input: { item: 'cleanup', session: 0 } });
    expect(asked('take-baseline')).toMatchObject({ session: 10 });
    expect(asked('checkpoint')).toMatchObject({ session: 11, item: null, why: 'pre_cleanup' });
    expect(out).toEqual({ is: 'ready', untidy, checkpoint });
  });

  test('lint warnings are handed to the agent as the command printed them', async () => {
    const [check] = verdict().checks;
    const lint = verdict({ checks: [{ ...check!, name: 'lint', passed: false, tail: 'F401 unused' }] });
    expect((await prepare({ lint })).out).toMatchObject({ untidy: { lint: { tail: 'F401 unused' } } });
  });

  test.each([
    ['git-state', { 'git-state': { facts: { failure: failure('dirty-tree') } } }, 'dirty-tree'],
    ['health', { health: failing() }, 'unhealthy'],
    ['baseline', { baseline: failing() }, 'baseline-failing'],
    ['budget', { budget: { facts: { failure: failure('budget-exhausted'), over: null } } }, 'budget-exhausted'],
  ])('the first "no" ends it: %s', async (last, answers, reason) => {
    const { out, steps } = await prepare(answers);
    expect(steps).toEqual(ALL.slice(0, ALL.indexOf(last) + 1));
    expect(out).toMatchObject({ is: 'unready', failure: { reason } });
  });
});

describe('the work of a cleanup', () => {
  const GOOD: Answers = {
    agent: { agent: 0, wall: null },
    session: turn(),
    'features.claim': { facts: { problems: [problem('nothing-claimed')] } },
    check: verdict(),
    strength: strength(),
    restore: { restored: [] },
  };
  const work = (answers: Answers = {}, config = configOf()) =>
    perform({ stage: 'work', ...begun, untidy }, { ...GOOD, ...answers }, config);
  const refused = (reason: string, problems: readonly object[] = [], why: object | null = null) => ({
    end: 'refused',
    reason,
    problems,
    failure: why,
  });

  test('holds if everything that held holds, no test is weaker, and nothing is claimed', async () => {
    const { out, steps, asked } = await work();
    expect(steps).toEqual(['agent', 'turn-1/session', 'turn-1/features.claim', 'turn-1/check', 'turn-1/strength']);
    expect(asked('turn-1/session')).toMatchObject({
      role: 'cleanup',
      session: 11,
      item: null,
      say: { kind: 'open', brief: 'features.cleanup', input: untidy },
    });
    expect(asked('turn-1/strength')).toMatchObject({ itemKind: 'exempt', feature: null, since: checkpoint.tree });
    const proof = { strength: 'tests', held: ['feature'], notPossible: [] };
    expect(out).toEqual({ end: 'holds', verdict: verdict(), proof });
  });

  test('that does not hold goes back into the session, with the list restored', async () => {
    const { out, steps, asked } = await work({ 'turn-1/check': failing() });
    expect(steps.slice(3, 6)).toEqual(['turn-1/check', 'turn-1/revert-claim', 'turn-2/session']);
    expect(asked('turn-2/session')).toMatchObject({ say: { kind: 'problems', problems: failing().problems } });
    expect(out).toMatchObject({ end: 'holds' });
  });

  test('that claims a feature or edits the list is refused', async () => {
    const claimed = { facts: { problems: [problem('wrong-claim', { item: '1' })] } };
    const { out, steps } = await work({ 'features.claim': claimed });
    expect(steps.filter((step) => step.endsWith('/session'))).toHaveLength(3);
    expect(out).toEqual(refused('wrong-claim', [problem('wrong-claim', { item: '1' })]));
  });

  test('that a person would have to judge is refused', async () => {
    const doubts = [problem('test-not-red')];
    const { out } = await work({ strength: strength({ doubts }) }, configOf({ verification: { fixTurns: 0 } }));
    expect(out).toEqual(refused('test-not-red', doubts));
  });

  test.each([
    ['a regression', failing([problem('regression')], { regressions: ['t'] }), 'regression'],
    ['a change of harness files', failing([], { tampering: [problem('config-edited')] }), 'config-edited'],
  ])('is refused at once because of %s', async (_, found, reason) => {
    const { out, steps } = await work({ check: found });
    expect(steps.at(-1)).toBe('turn-1/check');
    expect(out).toMatchObject({ end: 'refused', reason });
  });

  test('is refused after an outage or a limit, and gets no other turn when asked to wrap up', async () => {
    const auth = failure('agent-auth');
    const failed = await work({ session: turn({ end: 'agent-failed', failure: auth }) });
    expect(failed.out).toEqual(refused('agent-auth', [], auth));
    expect((await work({ session: turn({ end: 'wall-limit' }) })).out).toEqual(refused('wall-limit'));
    const wrapped = await work({ session: turn({ wrapUp: 'stuck' }), check: failing() });
    expect(wrapped.steps.filter((step) => step.endsWith('/session'))).toHaveLength(1);
  });

  test('restores no list that agents do not write', async () => {
    const config = configOf({ playbook: { backlog: 'tasks', machine: 'features' } });
    const { steps } = await work({ 'turn-1/check': failing(), 'features.claim': { facts: { problems: [] } } }, config);
    expect(steps).not.toContain('turn-1/revert-claim');
  });
});

describe('the end of a cleanup', () => {
  const GOOD: Answers = {
    close: { usage, tampering: [] },
    commit: { commit: 'new-commit', tree: 'new-tree', refused: null },
    push: { pushed: true, remote: 'origin', failure: null },
    remember: { file: '' },
    rollback: { attempt: 'refs/a', head: 'h' },
  };
  const holds = { end: 'holds', verdict: verdict() } as const;
  type Result = Extract<Position, { stage: 'close' }>['result'];
  const close = (result: Result, answers: Answers = {}, paused = false) =>
    perform({ stage: 'close', ...begun, endedAt: 'ended', result }, { ...GOOD, ...answers }, configOf(), paused);
  const refused = {
    end: 'refused',
    reason: 'tests-failed',
    problems: [problem('tests-failed')],
    failure: null,
  } as const;

  test('that holds is a plain commit with a log entry, pushed and recorded', async () => {
    const { out, steps, asked } = await close(holds);
    expect(steps).toEqual(['close', 'commit', 'push', 'baseline', 'sizes', 'costs', 'record']);
    expect(asked('commit')).toMatchObject({
      style: 'plain',
      item: null,
      subject: 'refactor: cleanup in session 11',
      tree: 'tree-verified',
      checkpoint,
      edit: { edit: 'features.log-entry', input: { item: null, session: 11, at: 'ended', base: checkpoint.ref } },
    });
    expect(asked('record')).toMatchObject({ summary: { item: 'cleanup', result: 'landed', startedAt: 'began' } });
    expect(out).toMatchObject({
      outcome: { result: 'landed', reason: 'verified', commit: 'new-commit', evidence: '.harness/evidence/1', usage },
    });
  });

  test('that does not hold is rolled back, logged and recorded', async () => {
    const { out, steps, asked } = await close(refused);
    expect(steps).toEqual(['close', 'rollback', 'log', 'costs', 'record']);
    expect(asked('log')).toMatchObject({ what: 'log', session: 11, edit: { edit: 'features.pending-entry' } });
    expect(asked('record')).toMatchObject({ summary: { result: 'failed', reason: 'tests-failed', attempt: 'refs/a' } });
    expect(out).toMatchObject({ outcome: { result: 'rejected', reason: 'tests-failed', problems: refused.problems } });
  });

  test.each([
    ['failed', { ...refused, problems: [] }, false],
    ['failed', { ...refused, problems: [], failure: failure('agent-crashed') }, false],
    ['blocked', { ...refused, problems: [], failure: failure('agent-auth') }, false],
    ['paused', { ...refused, reason: 'user_pause', problems: [] }, true],
  ] as const)('is %s for its cause', async (result, cause, paused) => {
    expect((await close(cause, {}, paused)).out).toMatchObject({ outcome: { result } });
  });

  test.each([
    ['the commit is refused', { commit: { commit: null, tree: 't', refused: problem('tree-changed-since-check') } }],
    ['harness files were changed', { close: { usage, tampering: [problem('config-edited')] } }],
  ])('is rolled back where %s', async (_, answers) => {
    const { out, steps } = await close(holds, answers);
    expect(steps).toContain('refused/rollback');
    expect(out).toMatchObject({ outcome: { result: 'rejected', commit: null } });
  });
});

describe('the machine of a cleanup', () => {
  const machine = machineOf(configOf());
  const file = (more: Partial<SessionStateFile> = {}): SessionStateFile => ({ ...emptySessionState('then'), ...more });
  const mem = { paused: false };
  const work = { stage: 'work', ...begun, untidy } as const;
  const result = { end: 'refused', reason: 'tests-failed', problems: [], failure: null } as const;
  const close = { stage: 'close', ...begun, endedAt: 'ended', result } as const;
  const given = { current_feature: 1, stuck_count: 2, last_session: 10, next_prompt: 'cleanup' } as const;

  test('is a session of its own, on no feature', () => {
    const s = { file: file(given), at: { stage: 'prepare' }, mem } as const;
    const next = stateAfter(machine, s, { is: 'ready', untidy, checkpoint }, AT);
    expect(next.at).toEqual({ ...work, startedAt: AT });
    expect(next.file).toMatchObject({ last_session: 11, current_feature: null, stuck_count: 0, timestamp: AT });
  });

  test('that cannot start is blocked, and the next session is a cleanup still', () => {
    const s = { file: file(given), at: { stage: 'prepare' }, mem } as const;
    const next = stateAfter(machine, s, { is: 'unready', failure: failure('dirty-tree') }, AT);
    expect(next).toMatchObject({ at: { stage: 'ended', outcome: { result: 'blocked', reason: 'dirty-tree' } } });
    expect(next.file).toEqual(file(given));
  });

  test.each([
    ['landed', 'complete', null, 'coding'],
    ['rejected', 'failed', 'error', 'coding'],
    ['paused', 'failed', 'user_pause', 'cleanup'],
  ] as const)('that ended %s is %s, and the next prompt is known', (of, status, termination, next) => {
    const s = { file: file(given), at: close, mem } as const;
    expect(stateAfter(machine, s, { outcome: itemOutcome(of) }, AT).file).toMatchObject({
      status,
      termination_reason: termination,
      next_prompt: next,
      timestamp: AT,
    });
  });

  test('that cannot be resumed is rolled back', () => {
    const action = { kind: 'procedure', key: 'tidy', procedure: 'tidy', input: {} } as const;
    expect(machine.stages.work.recover?.({ file: file(), at: work, mem }, action).at).toEqual({
      ...close,
      endedAt: 'began',
      result: { ...result, reason: 'session-lost' },
    });
  });

  test('at a pause does not start, is rolled back, or ends by itself', () => {
    const paused = (at: Position) => machine.on?.({ file: file(), at, mem }, { type: 'pause' }, AT);
    expect(paused({ stage: 'prepare' })).toMatchObject({ at: { stage: 'ended', outcome: { result: 'paused' } } });
    expect(paused(work)).toMatchObject({
      at: { stage: 'close', endedAt: AT, result: { reason: 'user_pause' } },
      mem: { paused: true },
    });
    expect(paused(close)).toEqual({ file: file(), at: close, mem });
  });
});
