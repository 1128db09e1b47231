// Crashes at the durable calls of a whole run, and what must be the same afterwards. `npm test` crashes at a few calls spread over the
// run, HARNESS_EXHAUSTIVE=1 at every n-th call, and HARNESS_EXHAUSTIVE=whole at each. All points are fixed: a call by its number, a turn
// of an agent by how many of its events the harness has seen. `npm run explore` adds milliseconds of real time.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODES, type Mode } from './dying-io.ts';
import { chanceOf, IS_EXHAUSTIVE, IS_EXPLORING, IS_NIGHT, SEED } from '../support/effort.ts';
import { endState, type EndState } from './end-state.ts';
import { runToTheEnd, runUntil, type Ending } from './process-runs.ts';
import { isSame } from './money.ts';
import type { Scenario } from './scenarios.ts';
import { openFixtureProject, type FixtureProject } from './fixture-project.ts';

/** Of a short stretch no fewer points than these in CI, of each kind: none at all would prove nothing. */
const FEWEST = 2;
/** How long a torn call runs on at most when real time counts. A turn of the fixture project's agent takes about half a second. */
const LONGEST_TORN_MS = 500;

type Point = {
  readonly at: number;
  readonly mode: Mode;
  /** Of a torn turn: the crash comes when the harness has seen so many events of it. */
  readonly events: number;
  /** How long a torn call runs on after that. */
  readonly ms: number;
};
type Undisturbed = Pick<Ending, 'calls' | 'events'> & {
  readonly end: EndState;
  readonly turns: number;
};

/**
 * `sample`: how many points `npm test` tries; 0: the scenario is played in CI and by night alone. `every`: in CI only each n-th call is the last one (and each 2n-th is torn), for scenarios
 * that take long. `chains`: runs in CI in which one crash follows another.
 */
export function diesAnywhere(
  scenario: Scenario,
  effort: { readonly sample: number; readonly every?: number; readonly chains?: number },
): void {
  describe.runIf(IS_EXHAUSTIVE || effort.sample > 0).each([scenario])('$name', () => {
    let shop: FixtureProject;
    let undisturbed: Undisturbed;
    beforeAll(async () => {
      shop = openFixtureProject(scenario.files, scenario.script);
      undisturbed = await live(scenario, shop);
    });
    afterAll(() => shop.remove());

    test('ends the same wherever the harness crashed on the way', async () => {
      const points = pointsOf(scenario, undisturbed, effort);
      const began = performance.now();
      const wrong: string[] = [];
      for (const point of points) wrong.push(...(await dieAt(scenario, shop, undisturbed, [point])));
      expect(wrong, wrong.join('\n')).toEqual([]);
      const each = Math.round((performance.now() - began) / points.length);
      console.log(`${scenario.name}: ${points.length} deaths, ${each} ms each`);
    });

    test.runIf(effort.chains !== undefined && IS_EXHAUSTIVE)(
      'ends the same after several deaths in a row',
      async () => {
        const chance = chanceOf(SEED, `${scenario.name}, several`);
        const chains = (effort.chains ?? 0) * (IS_NIGHT ? 4 : 1);
        for (let n = 0; n < chains; n += 1) {
          const deaths = Array.from({ length: 4 }, () => anyPoint(undisturbed, [0, undisturbed.calls.length], chance));
          expect(await dieAt(scenario, shop, undisturbed, deaths)).toEqual([]);
        }
      },
    );
  });
}

async function live(scenario: Scenario, shop: FixtureProject): Promise<Undisturbed> {
  scenario.before?.(shop);
  const { reason, calls, events: seen } = await runUntil(scenario.run, shop, 0, 'before');
  const events = seen.map((n) => Math.min(n, scenario.mostEvents ?? n));
  expect(reason).toBe(scenario.reason);
  const end = endState(shop);
  // What would make every comparison below a comparison of nothing.
  expect(end).toMatchObject({ dirty: '', leftovers: [], alive: [], lock: null });
  return { calls, events, end, turns: shop.turnsPlayed() };
}

function pointsOf(
  { name, from, until }: Scenario,
  undisturbed: Undisturbed,
  { sample, every = 1 }: { readonly sample: number; readonly every?: number },
): readonly Point[] {
  const { calls, events } = undisturbed;
  const chance = chanceOf(SEED, name);
  const first = from === undefined ? 0 : calls.findIndex(from);
  const last = until === undefined ? -1 : calls.findIndex((call, n) => n >= first && until(call));
  expect(first, 'the first point of the scenario').toBeGreaterThanOrEqual(0);
  const numbers = calls.map((_, n) => n + 1).slice(first, last < 0 ? undefined : last + 1);
  expect(numbers.length).toBeGreaterThan(5);
  if (!IS_EXHAUSTIVE) {
    const share = numbers.length / sample;
    const turn = numbers.find((at) => calls[at - 1]?.includes('agent turn'));
    return Array.from({ length: sample }, (_, n) => {
      const [from, to] = [first + n * share, first + (n + 1) * share];
      if (IS_EXPLORING || turn === undefined || turn <= from || turn > to)
        return anyPoint(undisturbed, [from, to], chance);
      // The first turn of an agent is the longest call of all: a crash in its middle is part of every sample.
      return { at: turn, mode: 'torn', events: Math.ceil((events[turn - 1] ?? 0) / 2), ms: 0 };
    });
  }
  // Just after a call and just before the next is the same moment: everything durable is a call.
  const each = (mode: Mode, nth: number): readonly Point[] => {
    const stride = Math.min(nth, Math.floor(numbers.length / FEWEST));
    return numbers
      .filter((at) => IS_NIGHT || (at + SEED) % stride === 0)
      .map((at): Point => ({ at, mode, events: 0, ms: 0 }));
  };
  // By night each moment of a turn; in CI another one for each turn.
  const inTurns = numbers
    .filter((at) => calls[at - 1]?.includes('agent turn'))
    .flatMap((at, turn) => {
      const all = Array.from({ length: (events[at - 1] ?? 0) + 1 }, (_, n): Point => ({
        at,
        mode: 'torn',
        events: n,
        ms: 0,
      }));
      return IS_NIGHT ? all : all.slice((turn + SEED) % all.length).slice(0, 1);
    });
  return [...each('after', every), ...each('torn', 2 * every), ...inTurns];
}

/** A point among the calls after `from` and up to `to`. */
function anyPoint(
  { calls, events }: Undisturbed,
  [from, to]: readonly [from: number, to: number],
  chance: () => number,
): Point {
  const at = Math.min(calls.length, 1 + Math.floor(from + chance() * (to - from)));
  const mode = MODES[Math.floor(chance() * MODES.length)] ?? 'after';
  const seen = Math.floor(chance() * ((events[at - 1] ?? 0) + 1));
  return { at, mode, events: seen, ms: IS_EXPLORING ? Math.floor(chance() * LONGEST_TORN_MS) : 0 };
}

/** One run after the other crashes at its given point, if it gets so far; the last runs to its end. Returns what is wrong then. */
async function dieAt(
  scenario: Scenario,
  shop: FixtureProject,
  { end, turns }: Undisturbed,
  deaths: readonly Point[],
): Promise<readonly string[]> {
  shop.renew();
  scenario.before?.(shop);
  const told: string[] = [];
  let cut = 0;
  for (const { at, mode, events, ms } of deaths) {
    const { died, calls } = await runUntil(scenario.run, shop, at, mode, async (seen) => {
      await seen(events);
      if (ms > 0) await pause(ms);
    });
    const call = (calls[at - 1] ?? '').replaceAll(shop.top, '');
    const far = mode === 'torn' ? ` (${events} events, ${ms} ms)` : '';
    told.push(died ? `${mode} #${at} ${call}${far}` : `#${at} not reached`);
    if (died && call.includes('agent turn')) cut += 1;
    if (!died) break;
  }
  const where = `${told.join(', then ')} (seed ${SEED})`;
  const reason = await runToTheEnd(scenario.run, shop);
  const found: EndState = { ...endState(shop), reason };
  const expected: EndState = { ...end, reason: scenario.reason };
  const wrong = Object.entries(expected)
    .filter(([name]) => !isSame(name, found, expected, cut))
    .map(([name, value]) => `${where}: ${name} is ${JSON.stringify(found[name])}, not ${JSON.stringify(value)}`);
  // A turn that has ended is never played again; one that was cut is played again, once for each cut.
  const played = shop.turnsPlayed();
  if (played < turns || played > turns + cut) wrong.push(`${where}: ${played} turns were played, not ${turns}`);
  return wrong;
}
