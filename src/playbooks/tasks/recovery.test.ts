// A task whose session was interrupted: the table, and what recovery does by it.
import { describe, expect, test } from 'vitest';
import { checkpoint, failing, problem, strength, usage, verdict } from '../../../test/support/outcomes.ts';
import { tasksConfig } from '../../../test/support/read-context.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { taskFacts } from '../../../test/support/task-outcomes.ts';
import type { Config } from '../../model/config.ts';
import { RECOVERY_TABLE, recover, recoveryFor } from './recovery.ts';

const BOTH = [false, true];

test('exactly one row of the table fits whatever is found', () => {
  for (const uncommitted of BOTH)
    for (const commits of BOTH)
      for (const checkpoints of BOTH) {
        const found = { uncommitted, commits, checkpoints };
        const fits = RECOVERY_TABLE.filter(
          (row) =>
            row.uncommitted === uncommitted &&
            row.commits === commits &&
            (row.checkpoints === 'any' || row.checkpoints === checkpoints),
        );
        expect([found, fits.length]).toEqual([found, 1]);
        expect(recoveryFor(found)).toBe(fits[0]?.action);
      }
});

test('nothing at all is no progress; changes are committed only before or after a command that passes', () => {
  const none = { uncommitted: false, commits: false, checkpoints: false };
  expect(recoveryFor(none)).toEqual({ do: 'no-progress' });
  expect(recoveryFor({ ...none, checkpoints: true })).toEqual({ do: 'compare' });
  expect(recoveryFor({ ...none, commits: true })).toEqual({ do: 'validate', commit: 'nothing' });
  expect(recoveryFor({ ...none, uncommitted: true })).toEqual({ do: 'validate', commit: 'after' });
  expect(recoveryFor({ ...none, uncommitted: true, commits: true })).toEqual({ do: 'validate', commit: 'before' });
});

describe('recovery', () => {
  const step = { step: 1, total: 2, description: 'routes', timestamp: 'then' };
  const left = {
    isBaseThere: true,
    uncommitted: false,
    commits: false,
    isMixed: false,
    reported: [] as object[],
    run: 5,
  };
  const underWay = taskFacts({ status: 'in_progress', base: 'c0ffee0' });
  const recovered = async (
    more: Partial<typeof left>,
    answers: Answers = {},
    recovery: Config['recovery'] = 'checked',
    facts = underWay,
  ) => {
    const script = scriptedRun({
      close: { usage, tampering: [] },
      'tasks.interrupted': { facts: { ...left, ...more } },
      checkpoint: { ...checkpoint, id: 'base' },
      init: verdict(),
      health: verdict(),
      'own-tests': { facts: { files: [] } },
      check: verdict(),
      strength: strength(),
      commit: { commit: 'wip', tree: 't', refused: null },
      remember: { file: '' },
      ...answers,
    });
    return { ...script, out: await recover(script.run, { facts, session: 4 }, tasksConfig({ recovery })) };
  };
  const environment = ['init', 'health'];

  test('asks what was left, from the commit that the task started from', async () => {
    const { steps, asked, out } = await recovered({});
    expect(steps).toEqual(['close', 'tasks.interrupted', 'recovery_base']);
    expect(asked('tasks.interrupted')['input']).toEqual({ item: 'task-001', base: 'c0ffee0', session: 4 });
    expect(asked('recovery_base')).toMatchObject({ session: 4, item: 'task-001', of: 'c0ffee0' });
    expect(out).toMatchObject({ base: { id: 'base' }, usage, run: 5, checkpoints: [] });
  });

  test('leaves commits of others where they are', async () => {
    expect((await recovered({ isMixed: true })).asked('recovery_base')).toMatchObject({ of: 'HEAD' });
  });

  test.each([
    ['was never recorded', {}, taskFacts({ status: 'in_progress' }), 'null'],
    ['is gone', { isBaseThere: false }, underWay, 'c0ffee0'],
  ])('without a way back, since the first commit %s, is the last attempt', async (_, more, facts, base) => {
    const { out, asked } = await recovered(more, {}, 'checked', facts);
    expect(asked('recovery_head')).toMatchObject({ of: 'HEAD' });
    const message = `started_at_commit ${base} is not there: nothing can be rolled back to it`;
    expect(out).toMatchObject({
      end: 'failed',
      isLast: true,
      error: { category: 'TASK_EXEC', message },
      reason: message,
      action: 'mark failed at max_attempts',
      why: { reason: 'session-lost' },
    });
  });

  test('of nothing at all is no progress', async () => {
    const { out } = await recovered({});
    expect(out).toMatchObject({
      end: 'failed',
      isLast: false,
      error: { category: 'SESSION_TIMEOUT', message: 'No progress detected' },
      action: 'mark failed',
      reason: 'uncommitted=no commits=no checkpoints=0',
    });
  });

  describe('of reported steps alone', () => {
    const reported = [{ ...step, tree: 'tree-verified' }];

    test('is continued where the files are as at the last step', async () => {
      const { out, asked } = await recovered({ reported });
      expect(asked('state')).toMatchObject({ purpose: 'recovery', checks: [] });
      expect(out).toMatchObject({
        end: 'resume',
        action: 'resume from last step',
        reason: 'uncommitted=no commits=no checkpoints=1, files are as at the last step',
        checkpoints: [step],
      });
    });

    test.each([
      ['the files differ', { reported: [{ ...step, tree: 'another' }] }, underWay],
      ['the steps are only those of the list', {}, taskFacts({ ...underWay.task, checkpoints: [step] })],
    ])('is lost work where %s', async (_, more, facts) => {
      const { out } = await recovered(more, {}, 'checked', facts);
      expect(out).toMatchObject({
        end: 'failed',
        isLast: false,
        error: { category: 'SESSION_TIMEOUT' },
        reason: 'uncommitted=no commits=no checkpoints=1, files are not as at the last step',
      });
    });
  });

  describe('of work', () => {
    test.each([
      [{ commits: true }, 'mark completed'],
      [{ uncommitted: true }, 'mark completed, uncommitted changes committed'],
      [{ uncommitted: true, commits: true }, 'mark completed, uncommitted changes committed'],
    ])('found as %j is validated, and then: %s', async (more, action) => {
      const { out, steps } = await recovered(more);
      expect(steps.slice(3)).toEqual([...environment, 'own-tests', 'check', 'strength']);
      expect(out).toMatchObject({
        end: 'judged',
        action,
        work: { end: 'holds', verdict: verdict(), strength: strength(), text: '' },
      });
    });

    test('whose proof is in doubt is for a person to decide', async () => {
      const doubts = [problem('test-not-red')];
      const { out } = await recovered({ uncommitted: true }, { strength: strength({ doubts }) });
      expect(out).toMatchObject({ end: 'judged', work: { end: 'doubtful', strength: { doubts } } });
    });

    test('that does not hold is rolled back by the end of the attempt', async () => {
      const { out } = await recovered({ uncommitted: true }, { check: failing() });
      expect(out).toMatchObject({
        end: 'failed',
        isLast: false,
        error: { category: 'TEST_FAIL', message: 'tests-failed count=1' },
        why: { reason: 'tests-failed', problems: failing().problems, evidence: '.harness/evidence/1' },
        action: 'git reset --hard c0ffee0, mark failed',
        reason: 'uncommitted=yes commits=no checkpoints=0, validation fails',
      });
    });

    test('is proved by its own command alone where the recovery is literal', async () => {
      const { out, steps, asked } = await recovered({ uncommitted: true }, {}, 'literal');
      expect(steps.slice(-1)).toEqual(['check']);
      expect(asked('check')['checks']).toMatchObject([{ name: 'feature', command: 'npm test' }]);
      expect((asked('check')['checks'] as object[]).length).toBe(1);
      expect(out).toMatchObject({ end: 'judged', work: { end: 'holds', strength: null } });
    });

    test.each([
      [usage, ['costs']],
      [{ ...usage, inputTokens: 0, outputTokens: 0 }, []],
    ])('waits for an environment that does not start; the cost of %j is recorded as %j', async (spent, costs) => {
      const { out, steps } = await recovered(
        { uncommitted: true },
        { health: failing(), close: { usage: spent, tampering: [] } },
      );
      expect(steps.slice(3)).toEqual([...environment, ...costs]);
      expect(out).toMatchObject({
        end: 'blocked',
        failure: { reason: 'unhealthy' },
        action: 'wait for the environment',
        reason: 'uncommitted=yes commits=no checkpoints=0',
      });
    });
  });

  test('rolls everything back where the configuration says so', async () => {
    const { out, steps } = await recovered({ uncommitted: true, commits: true }, {}, 'restore');
    expect(steps).toEqual(['close', 'tasks.interrupted', 'recovery_base']);
    expect(out).toMatchObject({
      end: 'failed',
      isLast: false,
      error: { category: 'SESSION_TIMEOUT', message: 'The session was cut' },
      action: 'roll back',
    });
  });
});
