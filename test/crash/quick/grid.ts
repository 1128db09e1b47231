// The quick grid: a scenario runs once for the end it reaches, and once to keep the moments of its durable calls; from each
// moment another run continues, and must reach the same end.
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { quickFolder } from '../../support/quick-folder.ts';
import { openGates } from '../../../src/gates/store.ts';
import type { Io } from '../../../src/host/io.ts';
import type { Result } from '../../../src/model/result.ts';
import { quickIo } from '../../support/quick-io.ts';
import { chanceOf, SEED } from '../../support/effort.ts';
import { endState, type EndState } from '../end-state.ts';
import { openFixtureProject, SHOP, type FixtureProject } from '../fixture-project.ts';
import { runQuickly } from './process-runs.ts';
import { recorder, type Fault, type Moment } from './moments.ts';
import type { QuickScenario } from './scenarios.ts';

const ANSWERED_AT = { now: () => 4_070_908_800_000, iso: () => '2099-01-01T00:00:00.000Z' };

/** Runs until no question is left that it answers. */
async function live(scenario: QuickScenario, shop: FixtureProject, io: Io, midway: () => void): Promise<string> {
  if (scenario.live !== undefined) return scenario.live(shop, io);
  const { script, mode = {}, answers = [], again = [], isTicking = false, meanwhile, spec } = scenario;
  for (let runs = 0; runs < MOST_RUNS; runs += 1) {
    const ended = await runQuickly(shop, io, {
      script,
      mode,
      midway,
      isTicking,
      ...(spec === undefined ? {} : { spec }),
    });
    if (ended.ok && again.includes(ended.value.reason)) continue;
    if (!ended.ok || ended.value.reason !== 'gate') return reasonOf(ended);
    const gates = openGates({ dir: join(shop.privateDir, 'gates'), io: quickIo(), clock: ANSWERED_AT });
    const all = gates.list({ open: false });
    if (!all.ok) throw new Error(JSON.stringify(all.failure));
    const open = all.value.find(({ closed }) => closed === null);
    const answered = all.value.filter(({ closed }) => closed?.how === 'answered').length;
    const option = answers[answered];
    if (open === undefined || option === undefined) return 'gate';
    meanwhile?.(shop, answered);
    if (option === '') continue;
    const [chosen = '', note = ''] = option.split(': ');
    await gates.answer(open.gate.id, { option: chosen, note, by: 'Ada' });
  }
  return 'never at its end';
}
/** No scenario is to take more. */
const MOST_RUNS = 30;
const reasonOf = (ended: Result<{ readonly reason: string }>): string =>
  ended.ok ? ended.value.reason : JSON.stringify(ended.failure);

export type Grid = {
  readonly points: number;
  readonly calls: number;
  readonly ms: number;
  readonly wrong: readonly string[];
};

/** What holds wherever the run crashed. */
export type Judge<End> = {
  /** What is kept of an undisturbed run. */
  of(shop: FixtureProject, reason: string): End;
  /** In the very moment after a death, whatever the dead left lying about. */
  afterDeath(shop: FixtureProject): readonly string[];
  /** At the end of the last run; `faults`: of which deaths. */
  atEnd(
    shop: FixtureProject,
    reason: string,
    end: End,
    faults: readonly Fault[],
  ): readonly string[] | Promise<readonly string[]>;
};

/** It comes to the same end. */
export const SAME: Judge<EndState> = {
  of: (shop, reason) => ({ ...endState(shop), reason }),
  afterDeath: () => [],
  // A journal that comes back belongs to a token that is never given again: it may lie there.
  atEnd: (shop, reason, end, faults) =>
    differences({ ...endState(shop), reason }, without(end, faults[0] === 'undeleted' ? ['leftovers'] : [])),
};

/** `most`: of the moments so many, spread over the run by the seed; `doubles`: of them so many die a second time; `at`: only these calls, all. */
export type GridEffort = {
  readonly most: number;
  readonly doubles: number;
  readonly at?: (call: string, n: number, all: readonly string[]) => boolean;
};

export async function dieAndJudge<End>(
  scenario: QuickScenario,
  { most, doubles, at: isMeant }: GridEffort,
  judge: Judge<End>,
): Promise<Grid> {
  const chance = chanceOf(SEED);
  const shop = openFixtureProject(scenario.files ?? SHOP, '');
  const top = quickFolder('harness-moments-');
  const begin = (): void => {
    shop.renew();
    scenario.before?.(shop);
  };
  try {
    begin();
    const plain = recorder(shop, top, () => []);
    const reason = await live(scenario, shop, plain.io, plain.midway);
    const calls = plain.calls.length;
    if (reason !== scenario.reason)
      return { points: 0, calls, ms: 0, wrong: [`${scenario.name} ends with ${reason}, not ${scenario.reason}`] };
    const end = judge.of(shop, reason);
    const ended = await judge.atEnd(shop, reason, end, []);
    const wrong = ended.map((what) => `${scenario.name}, undisturbed: ${what}`);
    if (wrong.length > 0) return { points: 0, calls, ms: 0, wrong };
    const wanted =
      isMeant === undefined
        ? spread(calls, most, chance)
        : new Map(
            plain.calls.flatMap((call, n) => (isMeant(call, n, plain.calls) ? [[n + 1, ALL_FAULTS] as const] : [])),
          );
    begin();
    const kept = recorder(shop, top, (at) => wanted.get(at) ?? []);
    await live(scenario, shop, kept.io, kept.midway);
    const began = performance.now();
    let second = 0;
    for (const moment of kept.moments) {
      goTo(shop, moment);
      const found = [...judge.afterDeath(shop)];
      const isDouble = second < doubles && chance() < doubles / kept.moments.length;
      const again = isDouble ? await dieAgain(scenario, shop, top, chance) : null;
      if (again !== null) {
        second += 1;
        if (again.moment !== null) found.push(...judge.afterDeath(shop));
      }
      const where = again === null ? told(moment) : `${told(moment)}, then ${again.told}`;
      const faults = [moment, again?.moment ?? null].flatMap((one) => one?.fault ?? []);
      const reason = again?.reason ?? (await liveOn(scenario, shop));
      found.push(...(await judge.atEnd(shop, reason, end, faults)));
      wrong.push(...found.map((what) => `${scenario.name}: ${where} (seed ${SEED}): ${what}`));
    }
    return { points: kept.moments.length + second, calls, ms: performance.now() - began, wrong };
  } finally {
    shop.remove();
    rmSync(top, { recursive: true, force: true });
  }
}

const ALL_FAULTS: readonly Fault[] = ['before', 'torn', 'undeleted'];

function spread(calls: number, most: number, chance: () => number): ReadonlyMap<number, readonly Fault[]> {
  // Each call has two moments or three: what was removed before may be there again.
  const each = Math.max(1, (2.6 * calls) / most);
  const wanted = new Map<number, readonly Fault[]>();
  for (let at = 1 + chance() * Math.min(each, calls); at <= calls; at += each) wanted.set(Math.floor(at), ALL_FAULTS);
  return wanted;
}

const told = ({ at, call, fault }: Moment): string => `${fault} #${at} ${call}`;

function goTo(shop: FixtureProject, { folder }: Moment): void {
  rmSync(shop.top, { recursive: true, force: true });
  renameSync(folder, shop.top);
}

/**
 * The next run dies as well, before it has done much. `reason`: why it ended, where it came to its end before that; another run
 * would be another run.
 */
async function dieAgain(
  scenario: QuickScenario,
  shop: FixtureProject,
  top: string,
  chance: () => number,
): Promise<{ readonly told: string; readonly reason: string | null; readonly moment: Moment | null }> {
  const own = join(top, 'again');
  mkdirSync(own, { recursive: true });
  const last = 1 + Math.floor(chance() * 40);
  const again = recorder(shop, own, (at) => (at === last ? [chance() < 0.5 ? 'before' : 'torn'] : []));
  const reason = await live(scenario, shop, again.io, again.midway);
  const [moment] = again.moments;
  // The last call records what the journal has already: that run reached its end too, and the next would be another run.
  if (moment === undefined || moment.at === again.calls.length) return { told: 'to its end', reason, moment: null };
  goTo(shop, moment);
  return { told: told(moment), reason: null, moment };
}

const without = (end: EndState, names: readonly string[]): EndState =>
  Object.fromEntries(Object.entries(end).filter(([name]) => !names.includes(name)));

const liveOn = (scenario: QuickScenario, shop: FixtureProject): Promise<string> =>
  live(scenario, shop, quickIo(), () => undefined).catch((error: unknown) => String(error));

const differences = (found: EndState, wanted: EndState): readonly string[] =>
  Object.entries(wanted)
    .filter(([name, value]) => !isDeepStrictEqual(found[name], value))
    .map(([name, value]) => `${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(value)}`);
