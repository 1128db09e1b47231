// A run of the real program with three lanes, really killed at calls that a seed draws, until it was killed so many times. Which item lands first is
// not the same in every run: what must hold is looked at, not compared with an undisturbed run.
import { expect } from 'vitest';
import { realIo } from '../../../src/host/io.ts';
import { endOrphans } from '../../../src/host/process-tree.ts';
import { chanceOf, SEED } from '../../support/effort.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { leftAfterwards, OF_CUT_TURN, shapesOf, wrongAfterDeath } from './left.ts';
import type { Kind } from './processes.ts';
import { beginDay, play, type KillPoint } from './program.ts';

export type InLanes = {
  /** Of the seeds, and of what is printed. */
  readonly name: string;
  readonly kills: number;
  /** Calls of an undisturbed run in which it is killed; half of the kills come in the first of them. */
  readonly calls: { readonly early: number; readonly late: number };
  /** What is left is compared with what an undisturbed run leaves. */
  readonly isCompared?: true;
  readonly before?: (shop: FixtureProject) => void;
  readonly wrongAfterDeath?: (shop: FixtureProject) => readonly string[];
  readonly wrongAtTheEnd: (shop: FixtureProject, kills: number) => readonly string[] | Promise<readonly string[]>;
};

const MOST_OF_ONE = 6;
const BESIDE = ['.repo-harness', '.repo-harness-1', '.repo-harness-2', '.repo-harness-3'];
/** The work trees of lanes are kept for the next run. */
const isKept = (line: string): boolean => /^a worktree is left: worktree .*-harness(-\d+)?$/.test(line);

function pointOf(chance: () => number, { early, late }: InLanes['calls']): KillPoint {
  const drawn = chance();
  const kind: Kind = drawn < 0.2 ? 'program' : drawn < 0.5 ? 'everything' : 'group';
  const at = 1 + Math.floor(chance() * (chance() < 0.5 ? early : late));
  return { at, side: chance() < 0.5 ? 'before' : 'after', kind, ms: 0 };
}

export async function dieInLanes(shop: FixtureProject, of: InLanes): Promise<void> {
  const begin = (): void => {
    for (const beside of BESIDE) realIo().remove(`${shop.top}/${beside}`);
    beginDay(shop, of.before);
  };
  const usual = of.isCompared === true ? await undisturbed(shop, begin) : null;
  const wrong: string[] = [];
  let kills = 0;
  for (let seed = SEED; kills < of.kills && wrong.length === 0; seed += 1) {
    const chance = chanceOf(seed, of.name);
    const said: string[] = [];
    begin();
    let ended = false;
    while (!ended && said.length < Math.min(MOST_OF_ONE, of.kills - kills)) {
      const point = pointOf(chance, of.calls);
      const run = await play(shop, point);
      ended = run.code !== null;
      if (ended) wrong.push(...(run.code === 0 ? [] : [run.said]));
      else said.push(`${point.kind} ${point.side} ${point.at}`);
      wrong.push(...(ended ? [] : [...wrongAfterDeath(shop), ...(of.wrongAfterDeath?.(shop) ?? [])]));
    }
    kills += said.length;
    const last = ended ? null : await play(shop, null);
    if (last !== null && last.code !== 0) wrong.push(`ended with ${last.code}: ${last.said}`);
    wrong.push(...(await of.wrongAtTheEnd(shop, said.length)), ...leftAfterwards(shop).filter((line) => !isKept(line)));
    if (usual !== null) {
      wrong.push(
        ...[...kindsOf(shop)].filter((kind) => !usual.has(kind)).map((kind) => `left, and of no use: ${kind}`),
      );
      console.log(`after ${said.length} kills: ${countedIn(shop)}`);
    }
    if (wrong.length > 0)
      wrong.push(`HARNESS_SEED=${seed}: ${said.join(', ')}`, `the last run: ${last?.said ?? 'none'}`);
  }
  console.log(`${kills} kills of ${of.name}`);
  await endOrphans(`${shop.privateDir}#`);
  if (wrong.length === 0) shop.remove();
  expect(wrong, wrong.join('\n')).toEqual([]);
}

async function undisturbed(shop: FixtureProject, begin: () => void): Promise<ReadonlySet<string>> {
  begin();
  const run = await play(shop, null);
  expect(run.code, run.said).toBe(0);
  console.log(`undisturbed: ${countedIn(shop)}`);
  return kindsOf(shop);
}

/** Several agents are at work: which files a cut leaves with which lane is a matter of chance. */
const kindsOf = (shop: FixtureProject): ReadonlySet<string> =>
  new Set(
    shapesOf(shop).filter((shape) => !OF_CUT_TURN.test(shape) && !/refs\/harness\/(?:wip|turns|verified)/.test(shape)),
  );

/** What is there for the next run, counted: it must not depend on how often the program was killed. */
const countedIn = (shop: FixtureProject): string => {
  const refs = shop.git('for-each-ref', '--format=%(refname)').split('\n');
  const count = (kind: string): number => refs.filter((ref) => ref.startsWith(`refs/harness/${kind}`)).length;
  const kinds = ['checkpoints', 'attempts', 'turns', 'verified', 'wip', 'parked', 'evidence'];
  const trees = shop.git('worktree', 'list').split('\n').length - 1;
  return `${trees} work trees, ${kinds.map((kind) => `${count(kind)} ${kind}`).join(', ')}`;
};
