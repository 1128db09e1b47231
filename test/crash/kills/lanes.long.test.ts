// The features playbook with three lanes, killed: every item lands once.
import { test } from 'vitest';
import { amountOf } from '../../support/effort.ts';
import { backlog, configured, feature, openFixtureProject, SHOP, type FixtureProject } from '../fixture-project.ts';
import { script, session, USED } from '../scenarios.ts';
import { dieInLanes } from './in-lanes.ts';

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
  ];
}

test('killed at any of its calls, a run with three lanes lands every item once, and leaves nothing behind', () =>
  dieInLanes(openFixtureProject(FILES, work), {
    name: 'lanes',
    kills: amountOf(6, 6, 200),
    // Of about 5,000 of an undisturbed run.
    calls: { early: 500, late: 2_500 },
    isCompared: true,
    wrongAtTheEnd,
  }));
