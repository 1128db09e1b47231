// The three endings of a session of the features machine: the order of their steps, and what refuses, fails or breaks on the way.
import type { Problem, ProblemCode } from '../../model/verdict.ts';
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint, facts, failing, problem, strength, usage, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { failure } from '../../model/failure.ts';
import { reject, save } from '../session/endings.ts';
import { land } from '../session/landing.ts';
import type { CutReason, LandingProof, Rejection } from '../session/facts.ts';
import { hooksFor } from './ending-hooks.ts';

const closing = {
  facts: facts(),
  checkpoint,
  startedAt: '2025-01-16T14:00:00.000Z',
  endedAt: '2025-01-16T14:30:00.000Z',
  text: 'Done.',
  session: 4,
};
const config = configOf();
const hooks = hooksFor(config);
const proof = (more: Partial<LandingProof> = {}): LandingProof => ({
  verdict: verdict(),
  strength: null,
  decided: null,
  person: null,
  ...more,
});
const GOOD: Answers = {
  close: { usage, tampering: [] },
  commit: { commit: 'new-commit', tree: 'new-tree', refused: null, evidence: 'sha-of-bundle' },
  push: { pushed: true, remote: 'origin', failure: null },
  publish: { told: 0 },
  keep: { commit: 'wip', refused: null },
  remember: { file: '' },
  restore: { restored: [] },
  rollback: { attempt: 'refs/harness/attempts/1', head: 'head-before' },
  owners: { facts: { owners: [] } },
  check: verdict(),
};

describe('a landing', () => {
  const landing = async (answers: Answers = {}, found = verdict()) => {
    const script = scriptedRun({ ...GOOD, ...answers });
    const out = await land(script.run, { ...closing, ...proof({ verdict: found }) }, config, hooks);
    return { ...script, out };
  };

  test('is exactly: close, commit, push, baseline, sizes, mirror, costs, record', async () => {
    const { steps, out } = await landing();
    expect(steps).toEqual(['close', 'commit', 'push', 'baseline', 'sizes', 'publish', 'costs', 'record']);
    expect(out).toEqual({ commit: 'new-commit', bundle: 'sha-of-bundle', usage, pushFailure: null });
  });

  test('names evidence outside the work tree without a path of this machine', async () => {
    const { asked } = await landing({}, verdict({ evidence: '/home/ada/shop/.git/harness/evidence/7-turn-1' }));
    expect(asked('commit')).toMatchObject({ body: 'Evidence: .git/harness/evidence/7-turn-1' });
  });

  test('commits the very tree that was verified, under the title of the feature, with the evidence named', async () => {
    const { asked } = await landing();
    expect(asked('commit')).toMatchObject({
      style: 'accept',
      subject: 'feat(auth-login): #1 User can log in',
      body: 'Evidence: .harness/evidence/1',
      tree: 'tree-verified',
      checkpoint,
      only: null,
      edit: {
        edit: 'features.accept',
        input: { base: checkpoint.ref, item: '1', session: 4, at: closing.endedAt },
      },
    });
    expect(asked('push')).toMatchObject({ commit: 'new-commit' });
    expect(asked('publish')).toMatchObject({ event: 'landed', item: '1', commit: 'new-commit' });
    expect(asked('baseline')).toMatchObject({ what: 'baseline', session: 4, baseline: { total: 3, tree: 'new-tree' } });
    expect(asked('costs')).toMatchObject({ what: 'costs', session: 4, item: '1' });
    expect(asked('record')).toMatchObject({
      what: 'session',
      summary: {
        item: '1',
        startedAt: closing.startedAt,
        endedAt: closing.endedAt,
        completed: true,
        termination: 'success',
        result: 'landed',
        commit: 'new-commit',
        evidence: '.harness/evidence/1',
        bundle: 'sha-of-bundle',
      },
    });
  });

  test('takes no baseline where the runner names no tests, and leaves out nothing else', async () => {
    const { steps } = await landing({}, verdict({ passing: null, tests: null }));
    expect(steps).toEqual(['close', 'commit', 'push', 'sizes', 'publish', 'costs', 'record']);
  });

  test('is refused where closing the session found tampering: nothing is committed', async () => {
    const tampering = [problem('harness-file-edited', { file: '.harness.yaml' })];
    const { steps, out } = await landing({ close: { usage, tampering } });
    expect(steps).toEqual(['close']);
    expect(out).toEqual({ commit: null, usage, refused: tampering });
  });

  test('is refused where the tree is not the verified one any more: nothing is pushed or recorded', async () => {
    const refused = problem('tree-changed-since-check');
    const { steps, out } = await landing({ commit: { commit: null, tree: 'other', refused } });
    expect(steps).toEqual(['close', 'commit']);
    expect(out).toEqual({ commit: null, usage, refused: [refused] });
  });

  const moved = { commit: null, tree: '', refused: problem('branch-moved', { commit: 'theirs' }) };
  const onto = { ...checkpoint, head: 'theirs' };
  const together = {
    commit: moved,
    'onto-1/commit': { commit: 'new-commit', tree: 'both', refused: null },
    bring: { tree: 'both', checkpoint: onto, problem: null },
    check: verdict({ tree: 'both' }),
    strength: strength(),
  };

  test('is brought onto commits that came meanwhile, proved with them, and only then committed', async () => {
    const later = { ...onto, tree: 'newer' };
    const script = scriptedRun({ ...GOOD, ...together, bring: { ...together.bring, checkpoint: later } });
    const out = await land(script.run, { ...closing, ...proof({ strength: strength() }) }, config, hooks);
    const { steps, asked } = script;
    expect(steps.slice(0, 6)).toEqual(['close', 'commit', 'bring', 'check', 'strength', 'onto-1/commit']);
    expect(asked('bring')).toMatchObject({ checkpoint, tree: 'tree-verified' });
    expect(asked('strength')).toMatchObject({ earlier: { from: checkpoint.tree, to: 'newer', outcome: strength() } });
    expect(asked('onto-1/commit')).toMatchObject({ tree: 'both', checkpoint, bundle: { verdict: { tree: 'both' } } });
    expect(out).toMatchObject({ commit: 'new-commit' });
  });

  test.each([
    ['both change the same lines', { bring: { tree: null, problem: problem('landing-conflict') } }, 'landing-conflict'],
    ['they fail together', { check: failing() }, 'tests-failed'],
    ['they prove less together', { strength: strength({ doubts: [problem('test-not-red')] }) }, 'test-not-red'],
  ])('is overtaken where %s: nothing is committed, and the work is not at fault', async (_, answers, code) => {
    const { steps, out } = await landing({ ...together, ...answers });
    expect(steps).not.toContain('onto-1/commit');
    expect(out).toMatchObject({ commit: null, overtaken: 'tree-verified', refused: [{ code }] });
  });

  test.each([
    ['for the doubt that it was about', 'assertions-weakened', 'new-commit'],
    ['not for a doubt that came with the newer commits', 'test-not-red', null],
  ])('a decision in spite of a doubt holds together %s', async (_, code, commit) => {
    const doubted = (doubt: ProblemCode) => strength({ doubts: [problem(doubt)] });
    const script = scriptedRun({ ...GOOD, ...together, strength: doubted(code as ProblemCode) });
    const decided = { option: 'land', note: '', by: 'Ada', at: 'then' };
    const asked = { verdict: verdict(), strength: doubted('assertions-weakened'), decided };
    expect((await land(script.run, { ...closing, ...proof(asked) }, config, hooks)).commit).toBe(commit);
  });

  describe('that was proved together with newer commits, with the turn to land,', () => {
    const merged = { tree: 'both', base: 'newer', work: 'tree-of-work' };
    const newest = { ...onto, tree: 'newer' };
    const held = { ...closing, ...proof({ verdict: verdict({ tree: 'both' }), strength: strength() }), merged };
    const answers = { ...GOOD, ...together, bring: { ...together.bring, checkpoint: newest }, 'onto-1/commit': moved };
    const landed = { commit: 'new-commit', tree: 'both', refused: null };
    const landing = async (more: Answers) => {
      const script = scriptedRun({ ...answers, ...more });
      return { ...script, out: await land(script.run, held, config, hooks) };
    };

    test('is brought onto them and committed, without another proof', async () => {
      const { steps, asked, out } = await landing({ commit: landed });
      expect(steps.slice(0, 3)).toEqual(['close', 'merged/bring', 'commit']);
      expect(asked('merged/bring')).toMatchObject({ checkpoint, tree: 'tree-of-work' });
      expect(asked('commit')).toMatchObject({ tree: 'both', checkpoint });
      expect(out).toMatchObject({ commit: 'new-commit' });
    });

    test.each([
      ['there are newer ones still', { tree: 'three', checkpoint: { ...onto, tree: 'newest' }, problem: null }],
      ['it is compared with other files', { tree: 'both', checkpoint: { ...onto, tree: 'newest' }, problem: null }],
    ])('is proved again where %s', async (_, bring) => {
      const proved = verdict({ tree: bring.tree });
      const { steps, asked } = await landing({ commit: landed, bring, check: proved });
      expect(steps.slice(1, 5)).toEqual(['merged/bring', 'merged/check', 'merged/strength', 'commit']);
      expect(asked('merged/strength')).toMatchObject({ earlier: { from: 'newer', to: 'newest' } });
      expect(asked('commit')).toMatchObject({ tree: bring.tree, bundle: { verdict: { tree: bring.tree } } });
    });

    test.each([
      ['conflicts with them', { bring: { tree: null, problem: problem('landing-conflict') } }, 'landing-conflict'],
      [
        'fails with them',
        { bring: { tree: 'three', checkpoint: onto, problem: null }, check: failing() },
        'tests-failed',
      ],
    ])('is overtaken where it %s, and the work itself is kept', async (_, more, code) => {
      const { steps, out } = await landing(more);
      expect(steps).not.toContain('commit');
      expect(out).toMatchObject({ commit: null, overtaken: 'tree-of-work', refused: [{ code }] });
    });
  });

  test('is overtaken where others commit again and again', async () => {
    const more = { ...together.bring, checkpoint: { ...onto, tree: 'newer' } };
    const script = scriptedRun({ ...GOOD, ...together, 'onto-1/commit': moved, 'onto-1/bring': more });
    const out = await land(script.run, { ...closing, ...proof({ strength: strength() }) }, config, hooks);
    const { steps, asked } = script;
    expect(steps.filter((step) => step.endsWith('commit'))).toHaveLength(6);
    // The work itself is merged each time: what others committed is no work.
    const work = 'tree-verified';
    expect(asked('bring')).not.toHaveProperty('work');
    expect(asked('onto-1/bring')).toMatchObject({ tree: 'both', work });
    expect(asked('onto-1/check')).toMatchObject({ beside: [work] });
    expect(asked('commit')).not.toHaveProperty('mergedWith');
    expect(asked('onto-1/commit')).toMatchObject({ mergedWith: 'theirs' });
    expect(out).toMatchObject({ commit: null, overtaken: work, merged: 'both' });
  });

  test('stays landed where the push was refused, and says so', async () => {
    const why = failure('agent-network');
    const { steps, out } = await landing({ push: { pushed: false, remote: 'origin', failure: why } });
    expect(steps).toContain('record');
    expect(out).toEqual({ commit: 'new-commit', bundle: 'sha-of-bundle', usage, pushFailure: why });
  });

  test.each([
    ['', 'feat(app): '],
    ['  -- ', 'feat(app): '],
    ['UI/UX', 'feat(ui-ux): '],
    ['--a--', 'feat(a): '],
  ])('of category %j begins with %j', async (category, begin) => {
    const script = scriptedRun(GOOD);
    await land(script.run, { ...closing, facts: facts({ category }), ...proof() }, config, hooks);
    expect(script.asked('commit')['subject']).toBe(`${begin}#1 User can log in`);
  });
});

describe('saving a session that was cut short', () => {
  const cut = async (why: CutReason, more: { readonly problems?: readonly Problem[] } = {}) => {
    const script = scriptedRun(GOOD);
    return { ...script, out: await save(script.run, { ...closing, why, ...more }, config, hooks) };
  };

  test('is exactly: close, restore the claim, the log entry for later, the work beside the branch, costs, record', async () => {
    const { steps, asked, out } = await cut('timeout');
    expect(steps).toEqual(['close', 'revert-claim', 'log', 'keep', 'costs', 'record']);
    expect(asked('revert-claim')).toMatchObject({ paths: ['features.json'], checkpoint });
    expect(asked('log')).toMatchObject({ what: 'log', session: 4, edit: { edit: 'features.pending-entry' } });
    expect(asked('keep')).toMatchObject({
      kind: 'keep-wip',
      item: '1',
      checkpoint,
      own: ['features.json', 'claude-progress.txt'],
    });
    expect(out).toEqual({ usage, commit: 'wip' });
  });

  test.each([
    ['timeout', 'WIP: Timeout - ', 'timeout'],
    ['context_limit', 'WIP: Context limit - ', 'context_limit'],
    ['stuck', 'WIP: Stuck - ', 'stuck'],
    ['user_pause', 'WIP: Paused - ', 'user_pause'],
    ['error', 'WIP: Error - ', 'error'],
    ['incomplete', 'WIP: ', 'complete'],
    ['overtaken', 'WIP: Overtaken - ', 'error'],
    ['review', 'WIP: Review - ', 'error'],
    ['unclear', 'WIP: Unclear - ', 'complete'],
  ] as const)('because of %s says so in the commit, the log and the record', async (why, prefix, termination) => {
    const { asked } = await cut(why);
    expect(asked('keep')['subject']).toBe(`${prefix}#1 User can log in`);
    expect(JSON.stringify(asked('log')['edit'])).toContain(`SESSION TERMINATED: ${why}`);
    const summary = { completed: false, termination, result: 'partial', reason: why };
    expect(asked('record')).toMatchObject({ summary });
  });

  test('records what is wrong with the work, for the session that continues it', async () => {
    const problems = [problem('tests-failed')];
    expect((await cut('review', { problems })).asked('record')).toMatchObject({ summary: { problems } });
    expect((await cut('timeout')).asked('record')['summary']).not.toHaveProperty('problems');
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
    return { ...script, out: await reject(script.run, { ...closing, why: { ...why, ...more } }, config, hooks) };
  };

  test('is exactly: close, roll back, log, costs, record; and names the attempt that keeps the work', async () => {
    const { steps, asked, out } = await back();
    expect(steps).toEqual(['close', 'rollback', 'log', 'costs', 'record']);
    expect(asked('rollback')).toMatchObject({ checkpoint, item: '1', session: 4, why: 'tests-failed' });
    expect(asked('log')).toMatchObject({ what: 'log', edit: { edit: 'features.pending-entry' } });
    expect(asked('record')).toMatchObject({
      summary: {
        completed: false,
        termination: 'error',
        attempt: 'refs/harness/attempts/1',
        problems: why.problems,
        broken: [],
      },
    });
    expect(out).toMatchObject({ usage, attempt: 'refs/harness/attempts/1' });
  });

  const partial = { session: 3, reason: 'timeout', base: null, wip: 'earlier' };
  test.each([
    ['gives up the work in progress that it continued, where the work was the cause', {}, true],
    ['leaves it where the work was not the cause', { problems: [] }, false],
  ])('%s', async (_, more, isDropped) => {
    const script = scriptedRun({ ...GOOD, 'drop-wip': { attempt: 'refs/harness/attempts/1/2' } });
    await reject(script.run, { ...closing, facts: facts({ partial }), why: { ...why, ...more } }, config, hooks);
    expect(script.steps.includes('drop-wip')).toBe(isDropped);
  });

  test('rolls back where files of the harness were changed, too', async () => {
    const { steps } = await back({ close: { usage, tampering: [problem('config-edited')] } });
    expect(steps).toContain('rollback');
  });

  const owners = {
    facts: {
      owners: [
        { id: '2', title: 'User login', testFile: 'tests/test_2.py', dependents: ['5', '6'] },
        { id: '3', testFile: 'tests/test_3.py', dependents: [] },
      ],
    },
  };
  const regressions = ['pytest|tests/test_2.py||a', 'pytest|tests/test_3.py||b'];

  test('with regressions flags only the features that fail on the rolled-back tree too', async () => {
    const { steps, asked, out } = await back({ owners, 'regressed/feature-3/check': failing() }, { regressions });
    expect(steps).toEqual([
      'close',
      'rollback',
      'regressed/owners',
      'regressed/feature-2/check',
      'regressed/feature-3/check',
      'regressed/feature-3/flag',
      'log',
      'costs',
      'record',
    ]);
    expect(asked('regressed/owners')).toMatchObject({ survey: 'owners', input: { tests: regressions } });
    expect(asked('regressed/feature-2/check')).toMatchObject({
      purpose: 'aftermath',
      checks: [{ command: 'pytest tests/test_2.py -v' }],
    });
    expect(asked('regressed/feature-3/flag')).toMatchObject({
      style: 'plain',
      item: '3',
      only: ['features.json'],
      edit: { edit: 'flag', input: { item: '3', change: { type: 'failing', why: 'found failing in session 4' } } },
    });
    expect(asked('record')).toMatchObject({
      summary: {
        broken: [
          { id: '2', dependents: ['5', '6'], isFailing: false },
          { id: '3', dependents: [], isFailing: true },
        ],
      },
    });
    const problems = [
      { code: 'broke-item', params: { item: '2', title: 'User login', dependents: '#5, #6' } },
      { code: 'broke-item', params: { item: '3', test: 'tests/test_3.py' } },
    ];
    expect(asked('record')).toMatchObject({ summary: { problems: expect.arrayContaining(problems) as unknown } });
    expect(out.problems).toEqual(expect.arrayContaining(problems));
    const log = JSON.stringify(asked('log')['edit']);
    expect(log).toContain('Broke #2, which #5, #6 depends on');
    expect(log).toContain('Broke #3; it fails without this change too and goes first');
  });

  test('without a command for single features flags none: what cannot be run proves nothing', async () => {
    const script = scriptedRun({ ...GOOD, owners, check: failing() });
    const { testing } = config;
    const input = { ...closing, why: { ...why, regressions } };
    const bare = configOf({ testing: { ...testing, feature: null } });
    await reject(script.run, input, bare, hooksFor(bare));
    expect(script.steps.filter((s) => s.endsWith('/flag') || s.endsWith('/check'))).toEqual([]);
  });
});

test('on a list without claims nothing is restored when a session is saved', async () => {
  const foreign = configOf({ playbook: { backlog: 'tasks', machine: 'features' } });
  const script = scriptedRun(GOOD);
  await save(script.run, { ...closing, why: 'timeout' }, foreign, hooksFor(foreign));
  expect(script.steps).toEqual(['close', 'log', 'keep', 'costs', 'record']);
});

describe('a session that was saved because its budget is used up', () => {
  const over = { scope: 'feature', unit: 'usd', spent: 26, limit: 25, base: 25 } as const;

  test('says which budget, for the session’s own cost included', async () => {
    const script = scriptedRun({ ...GOOD, budget: { facts: { failure: failure('budget-exhausted'), over } } });
    const out = await save(script.run, { ...closing, why: 'budget' }, config, hooks);
    expect(script.asked('budget')).toMatchObject({ survey: 'budget', input: { item: '1', session: 4 } });
    expect(out).toEqual({ usage, commit: 'wip', over });
  });
});

describe('work that cannot be saved', () => {
  const refused = problem('nested-repository', { path: 'vendor' });

  test('is kept as an attempt and rolled back, with a log entry and a record that say so', async () => {
    const script = scriptedRun({ ...GOOD, keep: { commit: null, refused } });
    const out = await save(script.run, { ...closing, why: 'timeout' }, config, hooks);
    expect(script.steps).toEqual([
      'close',
      'revert-claim',
      'log',
      'keep',
      'rollback',
      'refused/log',
      'costs',
      'record',
    ]);
    expect(script.asked('rollback')).toMatchObject({ checkpoint, why: 'nested-repository' });
    expect(JSON.stringify(script.asked('refused/log')['edit'])).toContain('Rolled back: nested-repository');
    expect(script.asked('record')).toMatchObject({
      summary: { result: 'failed', reason: 'nested-repository', attempt: 'refs/harness/attempts/1' },
    });
    expect(out).toEqual({ usage, commit: null, refused });
  });
});
