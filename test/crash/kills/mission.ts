// One mission of the real program: killed at moments by chance until it is done or the chance says enough, then left alone to
// its end. All chance comes from one number. What it cannot bring back is time: a moment is named by what the program has told
// and the milliseconds since, and a machine that is busier dies a little earlier.
import { setTimeout as pause } from 'node:timers/promises';
import { anyDay, endState, type EndState } from '../end-state.ts';
import { endOrphans } from '../../../src/host/process-tree.ts';
import { chanceOf } from '../../support/effort.ts';
import { isSame } from '../money.ts';
import { openShop, type Shop } from '../shop.ts';
import { shapesOf, wrongAfterDeath, wrongAfterwards } from './left.ts';
import { beginDay, eventsOf, kill, moreEvents, start, type Ended, type Kind, type Running } from './program.ts';
import type { Played } from './scenarios.ts';

/** A shop, what is played in it, and what that comes to if nobody disturbs it. */
export type Stage = {
  readonly shop: Shop;
  readonly scenario: Played;
  readonly end: EndState;
  readonly turns: number;
  /** Of everything that then lies there. */
  readonly shapes: ReadonlySet<string>;
};
export type Killed = {
  readonly kills: Readonly<Record<Kind, number>>;
  /** Of them, before the life had told anything. */
  readonly early: number;
  readonly wrong: readonly string[];
};

/** Each costs a start, and the work between them is done once: few kills of a mission make each of them dear. */
const LEAST_KILLS = 8;
const MOST_KILLS = 20;
/** Of all kills: of the program alone; with its group, and everything else that it started; at the start of a life. */
const ALONE = 0.1;
const EVERYTHING = 0.3;
const EARLY = 0.55;
/** A start, with the recovery of the life before it, takes 350 to 700. A number of this machine here would be no moment of a seed. */
const EARLY_MS = 700;
/** Into a life so many events more, and about as long after the last of them as until the next. */
const MOST_EVENTS = 6;
const MOST_MS_AFTER = 90;
/** Of a mission that went wrong, to see where it ended up. */
const LAST_EVENTS = 12;

/** Lives it once undisturbed. */
export async function open(scenario: Played): Promise<Stage> {
  const shop = openShop(scenario.files, scenario.script);
  beginDay(shop, scenario.before);
  const wrong = problemsOf(await start(shop).gone);
  const end = anyDay(endState(shop), shop);
  const { dirty, leftovers, alive, lock } = end;
  // What would make every comparison a comparison of nothing.
  if (JSON.stringify([dirty, leftovers, alive, lock]) !== '["",[],[],null]') wrong.push(JSON.stringify(end));
  wrong.push(...wrongAfterwards(shop));
  if (wrong.length > 0) throw new Error(`undisturbed, ${scenario.name}: ${wrong.join('\n')}`);
  return { shop, scenario, end, turns: shop.turnsPlayed(), shapes: new Set(shapesOf(shop)) };
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
    const running = start(shop);
    const events = eventsOf(shop).length;
    const kind = kindOf(chance());
    const moment = await momentOf(shop, running, chance);
    const isKilled = kill(shop, running, kind);
    const ended = await running.gone;
    // One that had ended by itself has done the whole of it: there is nobody left to kill.
    if (!isKilled || ended.code !== null) last = ended;
    else {
      told.push(`${kind} ${moment}`);
      kills[kind] += 1;
      if (eventsOf(shop).length === events) early += 1;
      wrong.push(...wrongAfterDeath(shop));
    }
  }
  if (wrong.length === 0) {
    last ??= await start(shop).gone;
    wrong.push(...problemsOf(last), ...looked(() => [...otherEnd(stage, told.length), ...wrongAfterwards(shop)]));
  }
  if (wrong.length > 0) wrong.push(`killed: ${told.join(', ')}`, ...eventsOf(shop).slice(-LAST_EVENTS));
  return { kills, early, wrong };
}

const kindOf = (drawn: number): Kind =>
  drawn < ALONE ? 'program' : drawn < ALONE + EVERYTHING ? 'everything' : 'group';

/** Waits for a moment by chance, and says which it was. */
async function momentOf(shop: Shop, running: Running, chance: () => number): Promise<string> {
  if (chance() < EARLY) {
    const ms = Math.floor(chance() * EARLY_MS);
    await pause(ms);
    return `${ms} ms after its start`;
  }
  const [more, ms] = [1 + Math.floor(chance() * MOST_EVENTS), Math.floor(chance() * MOST_MS_AFTER)];
  await moreEvents(shop, running, more);
  await pause(ms);
  return `${ms} ms after event ${more}`;
}

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
      .filter((shape) => !shapes.has(shape))
      .map((shape) => `left, and of no use to anybody: ${shape}`),
    ...(played < turns || played > turns + cuts ? [`${played} turns were played, not ${turns}`] : []),
  ];
}
