// A push that was refused because the remote branch diverged: the order of the steps, and what stops the merge.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint as taken, failing, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { failure } from '../../model/failure.ts';
import { catchUp } from './tree-change.ts';
import { featureChecks } from './checks.ts';

const config = configOf();
const checkpoint = { ...taken, head: 'mine' };
const checks = featureChecks({ testFile: 'tests/test_1.py' }, config);
const behind = failure('push-behind', { remote: 'origin', branch: 'main' });
const push = { pushed: false, remote: 'origin', failure: behind, theirs: 'their-commit' };
const tree = 'tree-verified';
const GOOD: Answers = {
  checkpoint,
  merge: { tree, subject: "Merge remote-tracking branch 'origin/main'", count: 2, failure: null },
  init: verdict(),
  health: verdict(),
  check: verdict({ tree }),
  commit: { commit: 'merge-commit', tree, refused: null },
  push: { pushed: true, remote: 'origin', failure: null },
  remember: { file: '' },
  head: { facts: { commit: 'mine' } },
  rollback: { attempt: null, head: 'mine' },
};
const steps = (...names: string[]) => names.map((name) => `catch-up/${name}`);
const run = async (answers: Answers = {}, landing: object = {}) => {
  const script = scriptedRun({ ...GOOD, ...answers });
  const about = { item: '1', session: 4, commit: 'mine', push, checks, ...landing };
  return { ...script, out: await catchUp(script.run, about, config) };
};

describe('a remote branch that diverged', () => {
  test('is merged, proved as a whole by the checks of the landing, committed, and pushed again', async () => {
    const { steps: done, asked, out } = await run();
    expect(done.filter((name) => !/init|health/.test(name))).toEqual(
      steps('checkpoint', 'merge', 'check', 'commit', 'baseline', 'push'),
    );
    expect(out).toBeNull();
    expect(asked('catch-up/merge')).toMatchObject({ checkpoint, mine: 'mine', theirs: 'their-commit' });
    expect(asked('catch-up/check')).toMatchObject({ session: null, checks });
    const merges = { mine: 'mine', theirs: 'their-commit' };
    expect(asked('catch-up/commit')).toMatchObject({ style: 'plain', tree, checkpoint: null, only: null, merges });
    expect(asked('catch-up/push')).toMatchObject({ commit: 'merge-commit' });
  });

  test('is not asked about where the push was fine or refused for another reason', async () => {
    const rejected = failure('push-rejected', {});
    expect(await run({}, { push: { pushed: true, remote: 'origin', failure: null } })).toMatchObject({
      steps: [],
      out: null,
    });
    expect(await run({}, { push: { pushed: false, remote: 'origin', failure: rejected } })).toMatchObject({
      steps: [],
      out: rejected,
    });
  });

  test('is left to a person where nothing proves the whole', async () => {
    const feature = checks.filter(({ name }) => name === 'feature');
    expect(await run({}, { checks: feature })).toMatchObject({ steps: [], out: behind });
  });

  test('with conflicts is reported, and nothing is undone', async () => {
    const why = failure('pull-conflict', { files: 'a.py' });
    const { steps: done, out } = await run({ merge: { tree: null, failure: why, isTouched: false } });
    expect([done, out]).toEqual([steps('checkpoint', 'merge'), why]);
  });

  test('is undone where it was left half merged', async () => {
    const { steps: done, out } = await run({ merge: { tree: null, failure: behind, isTouched: true } });
    expect([done, out]).toEqual([steps('checkpoint', 'merge', 'head', 'rollback'), behind]);
  });

  test.each([
    ['does not hold', { check: failing() }, 'pull-failing'],
    ['is not what was merged', { check: verdict({ tree: 'other' }) }, 'push-behind'],
    ['is no more what was proved', { commit: { commit: null, tree: 'other', refused: null } }, 'push-behind'],
  ])('is undone, and never pushed, where the whole %s', async (_, answers, reason) => {
    const { steps: done, out } = await run(answers);
    expect(out?.reason).toBe(reason);
    expect(done.at(-1)).toBe('catch-up/rollback');
    expect(done).not.toContain('catch-up/push');
  });

  test('names what the whole failed with', async () => {
    const { out } = await run({ check: failing() });
    const about = { remote: 'origin', branch: 'main', command: expect.any(String), tail: expect.any(String) };
    expect(out).toMatchObject({ reason: 'pull-failing', params: about });
  });

  test('is not undone where a person committed meanwhile', async () => {
    const { steps: done, out } = await run({ check: failing(), head: { facts: { commit: 'by-hand' } } });
    expect(out?.reason).toBe('pull-failing');
    expect(done).not.toContain('catch-up/rollback');
  });

  test('that moved again is reported: there is no second round', async () => {
    const { steps: done, out } = await run({ push: push });
    expect(out).toEqual(behind);
    expect(done.filter((name) => name.endsWith('/merge'))).toHaveLength(1);
  });
});
