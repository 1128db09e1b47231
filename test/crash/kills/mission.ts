// One mission of the real program: killed again and again at calls that are drawn from a seed, then left alone to its end. The seed
// brings back the same calls. `npm run explore` also kills some milliseconds after a call, which no seed brings back exactly.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { anyDay, endState, type EndState } from '../end-state.ts';
import { endOrphans } from '../../../src/host/process-tree.ts';
import { chanceOf, IS_EXPLORING } from '../../support/effort.ts';
import { isSame } from '../money.ts';
import { openFixtureProject, type FixtureProject } from '../fixture-project.ts';
import { OF_CUT_TURN, shapesOf, wrongAfterDeath, wrongAfterwards } from './left.ts';
import type { Kind } from './processes.ts';
import { beginDay, eventsOf, play, type Ended, type KillPoint } from './program.ts';
import type { Played } from './scenarios.ts';

/** A fixture project, what is played in it, and the end that this reaches undisturbed. */
export type Stage = {
  readonly shop: FixtureProject;
  readonly scenario: Played;
  readonly end: EndState;
  readonly turns: number;
  /** Calls of the program that can be killed at (kill-at.ts). */
  readonly calls: number;
  /** Of every file and ref that exists then. */
  readonly shapes: ReadonlySet<string>;
};
export type Killed = {
  readonly kills: Readonly<Record<Kind, number>>;
  /** Of them, before the run had written its first event. */
  readonly early: number;
  readonly wrong: readonly string[];
};

/** Each costs a start, and the work between them is done once: few kills of a mission make each of them dear. */
const LEAST_KILLS = 8;
const MOST_KILLS = 20;
/** Of all kills: of the program alone; with its group, and everything else that it started; at the start of a run. */
const ALONE = 0.1;
const EVERYTHING = 0.3;
const EARLY = 0.55;
/** A start, with the recovery of the run before it, makes up to so many calls. */
const EARLY_CALLS = 160;
/** The others come after at most this share of the calls of an undisturbed run, so that a mission takes several runs. */
const LATE_SHARE = 0.4;
/** Half of the kills of a round that explores come so long after their call at most. */
const LONGEST_MS = 90;
/** Of a mission that went wrong, to see where it ended up. */
const LAST_EVENTS = 12;

/** Plays it once undisturbed. */
export async function open(scenario: Played): Promise<Stage> {
  const shop = openFixtureProject(scenario.files, scenario.script);
  beginDay(shop, scenario.before);
  const count = join(shop.top, 'calls');
  const wrong = problemsOf(await play(shop, null, count));
  const calls = Number(readFileSync(count, 'utf8'));
  rmSync(count);
  const end = anyDay(endState(shop), shop);
  const { dirty, leftovers, alive, lock } = end;
  // What would make every comparison a comparison of nothing.
  if (JSON.stringify([dirty, leftovers, alive, lock]) !== '["",[],[],null]') wrong.push(JSON.stringify(end));
  wrong.push(...wrongAfterwards(shop));
  if (wrong.length > 0) throw new Error(`undisturbed, ${scenario.name}: ${wrong.join('\n')}`);
  return { shop, scenario, end, turns: shop.turnsPlayed(), calls, shapes: new Set(shapesOf(shop)) };
}

export async function close({ shop }: Stage): Promise<void> {
  await endOrphans(`${shop.privateDir}#`);
  shop.remove();
}

/** Dies at most `most` times. */
export async function dieAndFinish(
  stage: Stage,
  { seed, most }: { readonly seed: number; readonly most: number },
): Promise<Killed> {
  const { shop, scenario } = stage;
  const chance = chanceOf(seed);
  const wanted = Math.min(most, LEAST_KILLS + Math.floor(chance() * (MOST_KILLS - LEAST_KILLS + 1)));
  const told: string[] = [];
  const wrong: string[] = [];
  const kills = { program: 0, group: 0, everything: 0 };
  let early = 0;
  beginDay(shop, scenario.before);
  let last: Ended | null = null;
  while (last === null && told.length < wanted && wrong.length === 0) {
    const events = eventsOf(shop).length;
    const point = pointOf(stage, chance);
    const ended = await play(shop, point);
    // One that ended by itself before its point has done the whole of it.
    if (ended.code !== null) last = ended;
    else {
      told.push(textOf(point));
      kills[point.kind] += 1;
      if (eventsOf(shop).length === events) early += 1;
      wrong.push(...wrongAfterDeath(shop));
    }
  }
  if (wrong.length === 0) {
    last ??= await play(shop, null);
    wrong.push(...problemsOf(last), ...looked(() => [...otherEnd(stage, told.length), ...wrongAfterwards(shop)]));
  }
  if (wrong.length > 0) wrong.push(`killed: ${told.join(', ')}`, ...eventsOf(shop).slice(-LAST_EVENTS));
  return { kills, early, wrong };
}

const kindOf = (drawn: number): Kind =>
  drawn < ALONE ? 'program' : drawn < ALONE + EVERYTHING ? 'everything' : 'group';

function pointOf({ calls }: Stage, chance: () => number): KillPoint {
  const kind = kindOf(chance());
  const isEarly = chance() < EARLY;
  const range = isEarly ? EARLY_CALLS : Math.max(EARLY_CALLS, Math.floor(calls * LATE_SHARE));
  const at = 1 + Math.floor(chance() * range);
  const side = chance() < 0.5 ? 'before' : 'after';
  const isExact = !IS_EXPLORING || chance() < 0.5;
  return { at, side, kind, ms: isExact ? 0 : 1 + Math.floor(chance() * LONGEST_MS) };
}

const textOf = ({ at, side, kind, ms }: KillPoint): string =>
  `${kind} ${side} call ${at}${ms > 0 ? ` and ${ms} ms` : ''}`;

const problemsOf = ({ code, said, ms }: Ended): string[] =>
  code === 0 && said.includes('"reason":"nothing-left"') ? [] : [`ended with ${code} after ${ms} ms: ${said}`];

/** An end that cannot even be looked at is a wrong one of this mission. */
function looked(look: () => readonly string[]): readonly string[] {
  try {
    return look();
  } catch (error) {
    return [String(error)];
  }
}

/** A turn that has ended is never played again; one that was cut is played again, once for each cut. */
function otherEnd({ shop, end, turns, shapes }: Stage, cuts: number): readonly string[] {
  const found = anyDay(endState(shop), shop);
  const played = shop.turnsPlayed();
  return [
    ...Object.keys({ ...end, ...found })
      .filter((name) => !isSame(name, found, end, cuts))
      .map((name) => `${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(end[name])}`),
    ...shapesOf(shop)
      .filter((shape) => !shapes.has(shape) && !OF_CUT_TURN.test(shape))
      .map((shape) => `left, and of no use to anybody: ${shape}`),
    ...(played < turns || played > turns + cuts ? [`${played} turns were played, not ${turns}`] : []),
  ];
}
