// The end of a session on a task: first the repository, then the list and the log.
import { describe, expect, test } from 'vitest';
import { checkpoint, problem, usage, verdict } from '../../../test/support/outcomes.ts';
import { tasksConfig } from '../../../test/support/read-context.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { taskFacts, unprovable } from '../../../test/support/task-outcomes.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { NO_PROBLEM, type CutReason } from '../session/facts.ts';
import { close } from './close.ts';
import type { TaskDecision, TaskFacts } from './facts.ts';

const AT = '2026-01-01T01:00:00.000Z';
const SECONDS = '2026-01-01T01:00:00Z';
const underWay = { status: 'in_progress', base: 'head-before' } as const;
const committed = { commit: 'new-commit', tree: 'new-tree', refused: null };
const reportedStep = { step: 1, total: 2, description: 'routes', timestamp: AT };
const GOOD: Answers = {
  close: { usage, tampering: [] },
  commit: { ...committed, evidence: 'sha-of-bundle' },
  push: { pushed: true, remote: 'origin', failure: null },
  publish: { told: 0 },
  keep: { commit: 'wip', refused: null },
  remember: { file: '' },
  rollback: { attempt: 'refs/harness/attempts/1', head: 'head-before' },
  check: verdict(),
  write: { written: [] },
  budget: { facts: { failure: null, over: null } },
  'tasks.now': { facts: { at: AT } },
  'tasks.reported': { facts: { reported: [] } },
};
const config = tasksConfig();
const end = async (
  decision: TaskDecision,
  answers: Answers = {},
  about: { readonly facts?: TaskFacts; readonly paused?: boolean } = {},
  given = config,
) => {
  const script = scriptedRun({ ...GOOD, ...answers });
  const { facts = taskFacts(underWay), paused = false } = about;
  const input = {
    facts,
    checkpoint,
    startedAt: 'began',
    endedAt: 'ended',
    text: 'Done.',
    decision,
    session: 4,
    paused,
  };
  return { ...script, out: await close.perform(script.run, input, given) };
};
const accept: Extract<TaskDecision, { do: 'accept' }> = {
  do: 'accept',
  verdict: verdict(),
  strength: null,
  decided: null,
  person: null,
};
const save = (why: CutReason, cause: Failure | null = null): TaskDecision => ({ do: 'save', why, failure: cause });
const fail = (more: Partial<Extract<TaskDecision, { do: 'fail' }>> = {}): TaskDecision => ({
  do: 'fail',
  error: { category: 'TEST_FAIL', message: 'tests-failed count=2' },
  why: { ...NO_PROBLEM, reason: 'tests-failed', problems: [problem('tests-failed')], evidence: 'e' },
  isLast: false,
  ...more,
});
const release = (more: Partial<Extract<TaskDecision, { do: 'release' }>> = {}): TaskDecision => ({
  do: 'release',
  error: { category: 'TASK_EXEC', message: 'the agent failed: agent-auth' },
  failure: failure('agent-auth'),
  skip: null,
  ...more,
});
const patchIn = (asked: { readonly [field: string]: unknown }) =>
  (asked['edit'] as { input: { patch: object } }).input.patch;

describe('a landing', () => {
  test('is committed first, without list or log, then written in both', async () => {
    const { out, steps, asked } = await end(accept);
    expect(asked('commit')).toMatchObject({ style: 'accept', edit: null, bundle: { role: 'executor' } });
    expect(steps.slice(-2)).toEqual(['done/write-complete/tasks.now', 'done/write-complete/complete']);
    expect(asked('done/write-complete/complete')).toEqual({
      kind: 'write',
      edit: {
        edit: 'tasks.task',
        input: { item: 'task-001', patch: { status: 'completed', completed_at: SECONDS, checkpoints: [] } },
      },
      lines: [`[${SECONDS}] [SESSION-4] Completed [task-001] (commit new-com)`],
    });
    expect(out).toMatchObject({
      outcome: { result: 'landed', reason: 'verified', commit: 'new-commit', evidence: '.harness/evidence/1', usage },
      end: { end: 'landed' },
      hasFailedAttempt: false,
    });
  });

  test('that no command proves is unproved; who accepted it is in the list', async () => {
    const person = { by: 'Ada', at: AT, note: '' };
    const { out, asked } = await end({ ...accept, person }, {}, { facts: unprovable(underWay) });
    expect(patchIn(asked('done/write-complete/complete'))).toMatchObject({
      override: { passes: true, reason: 'accepted at a gate', by: 'Ada', at: AT },
    });
    expect(out.outcome).toMatchObject({ result: 'unproved', reason: 'unproved' });
    expect((await end(accept, {}, { facts: unprovable(underWay) })).out.outcome.result).toBe('unproved');
    expect((await end({ ...accept, person })).out.outcome.result).toBe('unproved');
  });

  test('has the steps that the agent reported, each once', async () => {
    const known = taskFacts({ ...underWay, checkpoints: [reportedStep] });
    const second = { ...reportedStep, step: 2, description: 'views' };
    const reported = [reportedStep, second].map((step) => ({ ...step, tree: null }));
    const answers = { 'tasks.reported': { facts: { reported } } };
    const { asked } = await end(accept, answers, { facts: known });
    const written = asked('done/write-complete/complete');
    expect(patchIn(written)).toMatchObject({ checkpoints: [reportedStep, second] });
    expect(written['lines']).toMatchObject([
      `[${SECONDS}] [SESSION-4] CHECKPOINT [task-001] step=2/2 "views"`,
      expect.stringContaining('Completed'),
    ]);
  });

  test('in a list of another format says so in the commit', async () => {
    const { asked } = await end(accept, {}, {}, tasksConfig({}, 'features'));
    expect(asked('commit')['edit']).toEqual({
      edit: 'flag',
      input: { item: 'task-001', change: { type: 'landed', at: 'ended' }, base: null },
    });
  });

  test('that is refused is rolled back and counts as a failed attempt', async () => {
    const refused = problem('tree-changed-since-check');
    const { out, asked, steps } = await end(accept, { commit: { commit: null, tree: 't', refused } });
    expect(steps).toContain('refused/rollback');
    expect(patchIn(asked('refused/write-failed/failed'))).toMatchObject({
      status: 'failed',
      attempts: 1,
      error_log: ['[TASK_EXEC] tree-changed-since-check'],
    });
    expect(out).toMatchObject({
      outcome: { result: 'rejected', reason: 'tree-changed-since-check', problems: [refused] },
      end: { end: 'failed' },
      hasFailedAttempt: true,
    });
  });
});

describe('a failed attempt', () => {
  test('is rolled back, cleaned up, and only then counted in the list', async () => {
    const facts = taskFacts({ ...underWay, attempts: 1, errorLog: ['[TIMEOUT] x'], cleanup: 'make clean' });
    const { out, steps, asked } = await end(fail(), {}, { facts });
    expect(steps).toEqual([
      'close',
      'rollback',
      'costs',
      'record',
      'cleanup',
      'tasks.reported',
      'write-failed/tasks.now',
      'write-failed/failed',
    ]);
    expect(asked('rollback')).toMatchObject({ checkpoint, why: 'tests-failed' });
    expect(asked('cleanup')['checks']).toMatchObject([{ command: 'make clean', weight: 'environment' }]);
    expect(asked('write-failed/failed')).toMatchObject({
      edit: {
        input: {
          patch: { status: 'failed', attempts: 2, error_log: ['[TIMEOUT] x', '[TEST_FAIL] tests-failed count=2'] },
        },
      },
      lines: [
        `[${SECONDS}] [SESSION-4] ERROR [task-001] [TEST_FAIL] tests-failed count=2`,
        `[${SECONDS}] [SESSION-4] ROLLBACK [task-001] git reset --hard head-be (kept as refs/harness/attempts/1)`,
      ],
    });
    expect(out).toMatchObject({
      outcome: { result: 'rejected', reason: 'tests-failed', evidence: 'e', usage },
      end: { end: 'failed' },
      hasFailedAttempt: true,
    });
  });

  test('without a problem is failed, with the failure that caused it', async () => {
    const why = { ...NO_PROBLEM, reason: 'agent-crashed', failure: failure('agent-crashed') };
    const { out } = await end(fail({ why }));
    expect(out.outcome).toMatchObject({
      result: 'failed',
      reason: 'agent-crashed',
      failure: { reason: 'agent-crashed' },
    });
  });

  test('whose cleanup command fails says so in the log', async () => {
    const facts = taskFacts({ ...underWay, cleanup: 'make clean' });
    const { asked } = await end(fail(), { cleanup: verdict({ holds: false }) }, { facts });
    expect((asked('write-failed/failed')['lines'] as string[]).at(-1)).toBe(
      `[${SECONDS}] [SESSION-4] WARN [task-001] the cleanup command failed: make clean`,
    );
  });

  test('that left no work names no attempt', async () => {
    const { asked } = await end(fail(), { rollback: { attempt: null, head: 'head-before' } });
    expect((asked('write-failed/failed')['lines'] as string[]).at(-1)).toMatch(/git reset --hard head-be$/);
  });

  test.each([
    [1, 3, 3],
    [4, 3, 5],
  ])('without a way back is the last: after %i of %i attempts there are %i', async (attempts, maxAttempts, written) => {
    const facts = taskFacts({ ...underWay, attempts, maxAttempts });
    const { asked } = await end(fail({ isLast: true }), {}, { facts });
    expect(patchIn(asked('write-failed/failed'))).toMatchObject({ attempts: written });
  });

  test('of a task that a session continued goes back to where the task started', async () => {
    const partial = { session: 2, reason: 'timeout', base: 'below' };
    const base = { ...checkpoint, id: 'base', head: 'c0ffee0123' };
    const facts = taskFacts({ status: 'in_progress', base: 'c0ffee0' }, { partial });
    const { asked } = await end(fail(), { base }, { facts });
    expect(asked('base')).toMatchObject({ kind: 'checkpoint', why: 'task_base', of: 'c0ffee0' });
    expect(asked('rollback')).toMatchObject({ checkpoint: base });
    expect((asked('write-failed/failed')['lines'] as string[])[1]).toContain('git reset --hard c0ffee0');
    const same = await end(fail(), {}, { facts: taskFacts({ status: 'in_progress', base: 'head' }, { partial }) });
    expect(same.steps).not.toContain('base');
  });
});

describe('work that is saved', () => {
  test('stays under way, with a line in the log', async () => {
    const { out, asked, steps } = await end(save('timeout'));
    expect(steps.slice(0, 2)).toEqual(['close', 'keep']);
    expect(asked('keep')).toMatchObject({ kind: 'keep-wip', item: 'task-001', checkpoint });
    expect(asked('write-saved/saved')).toMatchObject({
      edit: { input: { patch: {} } },
      lines: [
        `[${SECONDS}] [SESSION-4] WARN [task-001] the session ended (timeout); work in progress is kept and continued`,
      ],
    });
    expect(out).toMatchObject({
      outcome: { result: 'partial', reason: 'timeout', usage },
      end: { end: 'partial', why: 'timeout', isOutage: false },
      hasFailedAttempt: false,
    });
  });

  test('because of an outage names it', async () => {
    const why = failure('agent-rate-limited');
    const { out, asked } = await end(save('error', why));
    expect((asked('write-saved/saved')['lines'] as string[])[0]).toContain('the session ended (agent-rate-limited)');
    expect(out).toMatchObject({
      outcome: { result: 'partial', reason: 'agent-rate-limited', failure: why },
      end: { isOutage: true },
    });
  });

  test('because of a pause is paused', async () => {
    expect((await end(save('user_pause'), {}, { paused: true })).out.outcome.result).toBe('paused');
  });

  test.each([
    [0, 'pending'],
    [2, 'failed'],
  ])('and cannot be committed is released: after %i attempts the task is %s', async (attempts, status) => {
    const nested = problem('nested-repository', { path: 'vendor' });
    const facts = taskFacts({ ...underWay, attempts });
    const { out, asked, steps } = await end(save('timeout'), { keep: { commit: null, refused: nested } }, { facts });
    expect(steps).toContain('rollback');
    expect(patchIn(asked('write-saved/saved'))).toEqual({ status, checkpoints: [] });
    expect((asked('write-saved/saved')['lines'] as string[])[0]).toContain(
      'the session ended (timeout), and what it left could not be kept: nested-repository',
    );
    expect(out).toMatchObject({
      outcome: { result: 'rejected', reason: 'nested-repository', problems: [nested] },
      end: { end: 'failed' },
      hasFailedAttempt: false,
    });
  });

  describe('because of a budget that is used up', () => {
    const over = { scope: 'project', unit: 'usd', spent: 26, limit: 25, base: 25 };
    const spent = { budget: { facts: { failure: failure('budget-exhausted'), over } } };
    const answer = (option: string) => ({ option, note: '', by: 'Ada', at: AT });

    test.each([
      ['increase', { result: 'partial', reason: 'budget' }],
      ['pause', { result: 'paused', reason: 'budget-exhausted' }],
      ['abort', { result: 'aborted', reason: 'budget-exhausted' }],
    ])('asks once list and log are written, and with the answer %s is %j', async (option, outcome) => {
      const { out, steps } = await end(save('budget'), { ...spent, ask: answer(option) });
      expect(steps.indexOf('budget-project-0')).toBeGreaterThan(steps.indexOf('write-saved/saved'));
      expect(out).toMatchObject({ outcome: { ...outcome, usage }, end: { end: 'partial', why: 'budget' } });
    });

    test('asks nothing of a user who paused', async () => {
      const { steps } = await end(save('budget'), spent, { paused: true });
      expect(steps.at(-1)).toBe('write-saved/saved');
    });
  });
});

describe('a task that is released', () => {
  test.each([
    [0, 'pending'],
    [2, 'failed'],
  ])('is rolled back and as it was before: after %i attempts %s, with none counted', async (attempts, status) => {
    const { out, asked, steps } = await end(release(), {}, { facts: taskFacts({ ...underWay, attempts }) });
    expect(steps.indexOf('rollback')).toBeLessThan(steps.indexOf('done/write-released/released'));
    expect(asked('done/write-released/released')).toMatchObject({
      edit: { input: { patch: { status } } },
      lines: [
        `[${SECONDS}] [SESSION-4] ERROR [task-001] [TASK_EXEC] the agent failed: agent-auth; no attempt is counted`,
      ],
    });
    expect(out).toMatchObject({
      outcome: { result: 'blocked', reason: 'agent-auth', failure: { reason: 'agent-auth' }, usage },
      end: { end: 'blocked' },
      hasFailedAttempt: false,
    });
  });

  test('because of an outage is partial: the run waits for its end', async () => {
    const { out } = await end(release({ failure: failure('agent-overloaded') }));
    expect(out.outcome).toMatchObject({ result: 'partial', reason: 'agent-overloaded' });
  });

  test('and skipped is marked so, with the reason', async () => {
    const { out, asked } = await end(release({ failure: null, skip: 'later' }));
    expect(asked('done/write-released/released')).toMatchObject({
      edit: { input: { patch: { status: 'pending', skipped: { reason: 'later', at: AT, unblock: false } } } },
      lines: [`[${SECONDS}] [SESSION-4] WARN [task-001] left out: later`],
    });
    expect(out).toMatchObject({
      outcome: { result: 'skipped', reason: 'decided-skip', usage },
      end: { end: 'blocked' },
    });
  });
});
