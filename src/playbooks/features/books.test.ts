// The three ends of a session: the order of their steps, and what refuses, fails or broke on the way.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint, facts, failing, problem, usage, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { failure } from '../../model/failure.ts';
import { acceptFeature as accept, rejectFeature as reject, saveFeature as save } from './books.ts';
import type { CutReason, Rejection } from '../session/facts.ts';

const closing = {
  facts: facts(),
  checkpoint,
  startedAt: '2025-01-16T14:00:00.000Z',
  endedAt: '2025-01-16T14:30:00.000Z',
  text: 'Done.',
  session: 4,
};
const config = configOf();
const GOOD: Answers = {
  close: { usage, tampering: [] },
  commit: { commit: 'new-commit', tree: 'new-tree', refused: null, evidence: 'sha-of-bundle' },
  push: { pushed: true, remote: 'origin', failure: null },
  'cleanup-due': { facts: { isDue: false } },
  publish: { told: 0 },
  remember: { file: '' },
  restore: { restored: [] },
  rollback: { attempt: 'refs/harness/attempts/1', head: 'head-before' },
  owners: { facts: { owners: [] } },
  check: verdict(),
};

describe('a landing', () => {
  const land = async (answers: Answers = {}, found = verdict()) => {
    const script = scriptedRun({ ...GOOD, ...answers });
    return {
      ...script,
      out: await accept(
        script.run,
        { ...closing, verdict: found, strength: null, decided: null, person: null },
        config,
      ),
    };
  };

  test('is exactly: close, commit, push, baseline, sizes, mirror, costs, record (reference 000, Harness Verification 5-9)', async () => {
    const { steps, out } = await land();
    expect(steps).toEqual([
      'close',
      'commit',
      'push',
      'baseline',
      'sizes',
      'publish',
      'costs',
      'record',
      'cleanup-due',
    ]);
    expect(out).toEqual({
      commit: 'new-commit',
      bundle: 'sha-of-bundle',
      usage,
      pushFailure: null,
      isCleanupDue: false,
    });
  });

  test('names evidence that lies outside the work tree without a path of this machine', async () => {
    const { asked } = await land({}, verdict({ evidence: '/home/ada/shop/.git/harness/evidence/7-turn-1' }));
    expect(asked('commit')).toMatchObject({ body: 'Evidence: .git/harness/evidence/7-turn-1' });
  });

  test('commits the very tree that was verified, under the title of the feature, with the evidence named', async () => {
    const { asked } = await land();
    expect(asked('commit')).toMatchObject({
      style: 'accept',
      subject: 'feat(auth-login): #1 User can log in',
      body: 'Evidence: .harness/evidence/1',
      tree: 'tree-verified',
      checkpoint,
      only: null,
      edit: { name: 'accept', input: { base: checkpoint.ref, item: '1', session: 4, at: closing.endedAt } },
    });
    expect(asked('push')).toMatchObject({ commit: 'new-commit' });
    expect(asked('publish')).toMatchObject({ event: 'landed', item: '1', commit: 'new-commit' });
    expect(asked('baseline')).toMatchObject({ what: 'baseline', session: 4, input: { total: 3, tree: 'new-tree' } });
    expect(asked('record')).toMatchObject({ what: 'session', input: { result: 'landed', termination: 'success' } });
  });

  test('takes no baseline where the runner names no tests, and leaves out nothing else', async () => {
    const { steps } = await land({}, verdict({ passing: null, tests: null }));
    expect(steps).toEqual(['close', 'commit', 'push', 'sizes', 'publish', 'costs', 'record', 'cleanup-due']);
  });

  test('is refused where closing the session found tampering: nothing is committed', async () => {
    const tampering = [problem('harness-file-edited', { file: '.harness.yaml' })];
    const { steps, out } = await land({ close: { usage, tampering } });
    expect(steps).toEqual(['close']);
    expect(out).toEqual({ commit: null, usage, refused: tampering });
  });

  test('is refused where the tree is not the verified one any more: nothing is pushed or recorded', async () => {
    const refused = problem('tree-changed-since-check');
    const { steps, out } = await land({ commit: { commit: null, tree: 'other', refused } });
    expect(steps).toEqual(['close', 'commit']);
    expect(out).toEqual({ commit: null, usage, refused: [refused] });
  });

  test('stays landed where the push was refused, and says so', async () => {
    const why = failure('agent-network');
    const { steps, out } = await land({ push: { pushed: false, remote: 'origin', failure: why } });
    expect(steps).toContain('record');
    expect(out).toEqual({
      commit: 'new-commit',
      bundle: 'sha-of-bundle',
      usage,
      pushFailure: why,
      isCleanupDue: false,
    });
  });

  test.each([
    ['', 'feat(app): '],
    ['  -- ', 'feat(app): '],
    ['UI/UX', 'feat(ui-ux): '],
    ['--a--', 'feat(a): '],
  ])('of category %j begins with %j', async (category, begin) => {
    const script = scriptedRun(GOOD);
    await accept(
      script.run,
      { ...closing, facts: facts({ category }), verdict: verdict(), strength: null, decided: null, person: null },
      config,
    );
    expect(script.asked('commit')['subject']).toBe(`${begin}#1 User can log in`);
  });
});

describe('saving a session that was cut', () => {
  const cut = async (why: CutReason) => {
    const script = scriptedRun(GOOD);
    return { ...script, out: await save(script.run, { ...closing, why }, config) };
  };

  test('is: close, take the claim back, commit provisionally, costs, record', async () => {
    const { steps, asked, out } = await cut('timeout');
    expect(steps).toEqual(['close', 'revert-claim', 'commit', 'costs', 'record']);
    expect(asked('revert-claim')).toMatchObject({ paths: ['features.json'], checkpoint });
    expect(asked('commit')).toMatchObject({
      style: 'provisional',
      tree: null,
      checkpoint,
      edit: { name: 'log-entry' },
    });
    expect(out).toEqual({ usage, commit: 'new-commit' });
  });

  test.each([
    ['timeout', 'WIP: Timeout - ', 'timeout'],
    ['context_limit', 'WIP: Context limit - ', 'context_limit'],
    ['stuck', 'WIP: Stuck - ', 'stuck'],
    ['user_pause', 'WIP: Paused - ', 'user_pause'],
    ['error', 'WIP: Error - ', 'error'],
    ['incomplete', 'WIP: ', 'complete'],
  ] as const)('because of %s says so in the commit, the log and the record', async (why, prefix, termination) => {
    const { asked } = await cut(why);
    expect(asked('commit')['subject']).toBe(`${prefix}#1 User can log in`);
    expect(JSON.stringify(asked('commit')['edit'])).toContain(`SESSION TERMINATED: ${why}`);
    expect(asked('record')).toMatchObject({ input: { completed: false, termination, result: 'partial', reason: why } });
  });
});

describe('a rejection', () => {
  const why: Rejection = {
    reason: 'tests-failed',
    problems: [problem('tests-failed')],
    regressions: [],
    evidence: '.harness/evidence/1',
    failure: null,
  };
  const back = async (answers: Answers = {}, more: Partial<Rejection> = {}) => {
    const script = scriptedRun({ ...GOOD, ...answers });
    return { ...script, out: await reject(script.run, { ...closing, why: { ...why, ...more } }, config) };
  };

  test('is: close, roll back, log, costs, record; and names where the work was kept', async () => {
    const { steps, asked, out } = await back();
    expect(steps).toEqual(['close', 'rollback', 'commit', 'costs', 'record']);
    expect(asked('rollback')).toMatchObject({ checkpoint, item: '1', session: 4, why: 'tests-failed' });
    expect(asked('commit')).toMatchObject({ style: 'provisional', only: ['claude-progress.txt'], checkpoint: null });
    expect(asked('record')).toMatchObject({
      input: {
        completed: false,
        termination: 'error',
        attempt: 'refs/harness/attempts/1',
        problems: why.problems,
        broken: [],
      },
    });
    expect(out).toEqual({ usage, commit: 'new-commit', attempt: 'refs/harness/attempts/1' });
  });

  test('still rolls back where the session tampered', async () => {
    const { steps } = await back({ close: { usage, tampering: [problem('config-edited')] } });
    expect(steps).toContain('rollback');
  });

  const owners = {
    facts: {
      owners: [
        { id: '2', testFile: 'tests/test_2.py', dependents: ['5', '6'] },
        { id: '3', testFile: 'tests/test_3.py', dependents: [] },
      ],
    },
  };
  const regressions = ['pytest|tests/test_2.py||a', 'pytest|tests/test_3.py||b'];

  test('with regressions flags only the features that fail on the rolled-back tree too', async () => {
    const { steps, asked } = await back({ owners, 'regressed/feature-3/check': failing() }, { regressions });
    expect(steps).toEqual([
      'close',
      'rollback',
      'regressed/owners',
      'regressed/feature-2/check',
      'regressed/feature-3/check',
      'regressed/feature-3/flag',
      'commit',
      'costs',
      'record',
    ]);
    expect(asked('regressed/owners')).toMatchObject({ input: { backlog: 'features.json', tests: regressions } });
    expect(asked('regressed/feature-2/check')).toMatchObject({
      purpose: 'aftermath',
      checks: [{ command: 'pytest tests/test_2.py -v' }],
    });
    expect(asked('regressed/feature-3/flag')).toMatchObject({
      style: 'plain',
      item: '3',
      only: ['features.json'],
      edit: { name: 'flag', input: { item: '3', change: { type: 'failing', why: 'found failing in session 4' } } },
    });
    expect(asked('record')).toMatchObject({
      input: {
        broken: [
          { id: '2', dependents: ['5', '6'], isFailing: false },
          { id: '3', dependents: [], isFailing: true },
        ],
      },
    });
    const log = JSON.stringify(asked('commit')['edit']);
    expect(log).toContain('Broke #2, which #5, #6 depends on');
    expect(log).toContain('Broke #3; it fails without this change too and goes first');
  });

  test('without a command for single features flags nobody: what cannot be run proves nothing', async () => {
    const script = scriptedRun({ ...GOOD, owners, check: failing() });
    const { testing } = config;
    const input = { ...closing, why: { ...why, regressions } };
    await reject(script.run, input, configOf({ testing: { ...testing, feature: null } }));
    expect(script.steps.filter((s) => s.endsWith('/flag') || s.endsWith('/check'))).toEqual([]);
  });
});
