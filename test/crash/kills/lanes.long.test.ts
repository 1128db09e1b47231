// The real program with three lanes, really killed at calls that a seed draws. Which item lands first is not the same in every run: what must
// hold at the end is looked at, not compared with an undisturbed run.
import { expect, test } from 'vitest';
import { realIo } from '../../../src/host/io.ts';
import { endOrphans } from '../../../src/host/process-tree.ts';
import { amountOf, chanceOf, SEED } from '../../support/effort.ts';
import { backlog, configured, feature, openFixtureProject, SHOP, type FixtureProject } from '../fixture-project.ts';
import { script, session, USED } from '../scenarios.ts';
import { wrongAfterDeath, wrongAfterwards } from './left.ts';
import type { Kind } from './processes.ts';
import { beginDay, play, type KillPoint } from './program.ts';

const KILLS = amountOf(2, 6, 200);
const MOST_OF_ONE = 6;
/** Calls of an undisturbed run: about 5,000. Half of the kills come while the first sessions are begun. */
const [EARLY_CALLS, LATE_CALLS] = [500, 2_500];

/** Each its own file and one that all of them change. */
const NAMES = ['pay', 'leave', 'look', 'ask', 'wait'];
const FILES = {
  ...SHOP,
  '.harness.yaml': configured('lanes: 3\nsandbox: { level: none }\nverification: { fix_turns: 0, mutation: off }\n'),
  'features.json': backlog(
    feature(1, 'open', { passes: true, category: 'chore' }),
    ...NAMES.map((name, at) => feature(at + 2, name, { passes: false, category: 'chore' })),
  ),
  ...Object.fromEntries(
    NAMES.map((name) => [
      `tests/${name}.sh`,
      (SHOP['tests/pay.sh'] ?? '')
        .replaceAll('pay', name)
        .replace('shop.txt', `${name}.txt`)
        .replace('shop.txt', `${name}.txt`),
    ]),
  ),
};
const work = script(
  ...NAMES.map((name, at) =>
    session({ item: at + 2 }, [
      { write: { path: `${name}.txt`, text: `${name}\n` } },
      { write: { path: 'last.txt', text: `${name}\n` } },
      { claim: at + 2 },
      USED,
    ]),
  ),
);

function pointOf(chance: () => number): KillPoint {
  const drawn = chance();
  const kind: Kind = drawn < 0.2 ? 'program' : drawn < 0.5 ? 'everything' : 'group';
  const at = 1 + Math.floor(chance() * (chance() < 0.5 ? EARLY_CALLS : LATE_CALLS));
  return { at, side: chance() < 0.5 ? 'before' : 'after', kind, ms: 0 };
}

/** One that is not known to be wrong anywhere else: the work trees of lanes are kept for the next run. */
const isKept = (line: string): boolean => /^a worktree is left: worktree .*-harness(-\d+)?$/.test(line);

function wrongAtTheEnd(shop: FixtureProject): readonly string[] {
  const landed = shop
    .git('log', '--format=%(trailers:key=Harness-Item,valueonly)')
    .split('\n')
    .filter(Boolean)
    .toSorted();
  const wanted = NAMES.map((_, at) => String(at + 2));
  return [
    ...(JSON.stringify(landed) === JSON.stringify(wanted) ? [] : [`landed: ${landed.join(', ')}`]),
    ...(shop.git('status', '--porcelain') === '' ? [] : [`the work tree is ${shop.git('status', '--porcelain')}`]),
    ...(shop.git('branch', '--format=%(refname:short)') === 'main' ? [] : ['a branch is left']),
    ...shop
      .git('for-each-ref', '--format=%(refname)', 'refs/harness/parked', 'refs/harness/wip')
      .split('\n')
      .filter(Boolean),
    ...NAMES.filter((name) => shop.read(`${name}.txt`) !== `${name}\n`).map((name) => `${name}.txt is not there`),
    ...wrongAfterwards(shop).filter((line) => !isKept(line) && !line.startsWith('accepted')),
  ];
}

test('killed at any of its calls, a run with three lanes lands every item once, and leaves nothing behind', async () => {
  const shop = openFixtureProject(FILES, work);
  const wrong: string[] = [];
  let kills = 0;
  for (let seed = SEED; kills < KILLS && wrong.length === 0; seed += 1) {
    const chance = chanceOf(seed, 'lanes');
    const said: string[] = [];
    for (const beside of ['.repo-harness', '.repo-harness-1', '.repo-harness-2', '.repo-harness-3'])
      realIo().remove(`${shop.top}/${beside}`);
    beginDay(shop);
    let ended = false;
    while (!ended && said.length < MOST_OF_ONE) {
      const point = pointOf(chance);
      const run = await play(shop, point);
      ended = run.code !== null;
      if (ended) wrong.push(...(run.code === 0 ? [] : [run.said]));
      else said.push(`${point.kind} ${point.side} ${point.at}`);
      wrong.push(...(ended ? [] : wrongAfterDeath(shop)));
    }
    kills += said.length;
    const last = ended ? null : await play(shop, null);
    if (last !== null && last.code !== 0) wrong.push(`ended with ${last.code}: ${last.said}`);
    wrong.push(...wrongAtTheEnd(shop));
    if (wrong.length > 0) wrong.push(`HARNESS_SEED=${seed}: ${said.join(', ')}`);
  }
  console.log(`${kills} kills of a run with three lanes`);
  await endOrphans(`${shop.privateDir}#`);
  if (wrong.length === 0) shop.remove();
  expect(wrong, wrong.join('\n')).toEqual([]);
});
