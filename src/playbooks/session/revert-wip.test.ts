// The unfinished work of a skipped item: the order of the steps of its revert, and what stops it.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { checkpoint, failing, verdict } from '../../../test/support/outcomes.ts';
import { scriptedRun, type Answers } from '../../../test/support/run.ts';
import { failure } from '../../model/failure.ts';
import { baselineCheck } from './checks.ts';
import { revertWip } from './tree-change.ts';

const config = configOf();
const tree = 'tree-without';
const GOOD: Answers = {
  'drop-wip': { attempt: null },
  'provisional-commits': { facts: { count: 2 } },
  checkpoint,
  unwind: { tree, count: 2, failure: null },
  init: verdict(),
  health: verdict(),
  check: verdict({ tree }),
  commit: { commit: 'back', tree, refused: null },
  baseline: { file: '' },
  head: { facts: { commit: checkpoint.head } },
  rollback: { attempt: null, head: checkpoint.head },
};
const run = async (answers: Answers = {}, given = config) => {
  const script = scriptedRun({ ...GOOD, ...answers });
  return { ...script, out: await revertWip.perform(script.run, { item: '7' }, given) };
};
const plain = (names: readonly string[]) => names.filter((name) => !/init|health|drop-wip|provisional/.test(name));

describe('the unfinished work of a skipped item', () => {
  test('becomes an attempt, and nothing else happens', async () => {
    const attempt = 'refs/harness/attempts/7/1';
    const { steps, out } = await run({ 'drop-wip': { attempt }, 'provisional-commits': { facts: { count: 0 } } });
    expect([steps, out]).toEqual([['drop-wip', 'provisional-commits'], { commit: null, attempt, failure: null }]);
  });
});

describe('provisional commits that an older version made of a skipped item', () => {
  test('are reverted, everything else is proved without them, and only then the revert is committed', async () => {
    const { steps, asked, out } = await run();
    expect(plain(steps)).toEqual(['checkpoint', 'unwind', 'check', 'commit', 'baseline']);
    expect(asked('check')).toMatchObject({ session: null, checks: baselineCheck(config) });
    expect(asked('commit')).toMatchObject({ style: 'plain', item: '7', tree, only: null, unwinds: true });
    expect(out).toEqual({ commit: 'back', count: 2, failure: null });
  });

  test('stay where no suite would show what depends on them', async () => {
    const bare = configOf({ testing: { ...config.testing, full: null } });
    const why = failure('unwind-unproved', { item: '7' });
    const { steps, asked, out } = await run({ unwind: { tree: null, failure: why, isTouched: false } }, bare);
    expect(asked('unwind')).toMatchObject({ isProvable: false });
    expect([plain(steps), out]).toEqual([['checkpoint', 'unwind'], { commit: null, failure: why }]);
  });

  test('are restored where they were reverted by half', async () => {
    const why = failure('unwind-not-clean', { item: '7' });
    const { steps, out } = await run({ unwind: { tree: null, failure: why, isTouched: true } });
    expect([plain(steps), out]).toEqual([['checkpoint', 'unwind', 'head', 'rollback'], { commit: null, failure: why }]);
  });

  test.each([
    ['something fails', { check: failing() }, 'unwind-failing'],
    ['something else was checked', { check: verdict({ tree: 'other' }) }, 'unwind-not-clean'],
    ['the tree changed again', { commit: { commit: null, tree: 'other', refused: null } }, 'unwind-not-clean'],
  ])('are restored where without them %s', async (_, answers, reason) => {
    const { steps, out } = await run(answers);
    expect(out.failure?.reason).toBe(reason);
    expect(steps.at(-1)).toBe('rollback');
  });

  test('are not restored where a person committed meanwhile', async () => {
    const { steps, out } = await run({ check: failing(), head: { facts: { commit: 'by-hand' } } });
    expect(out.failure?.reason).toBe('unwind-failing');
    expect(steps).not.toContain('rollback');
  });
});
