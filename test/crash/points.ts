// Deaths at the durable calls of a whole life, and what must be the same afterwards. A sample by chance in the fast suite, a
// grid over all with HARNESS_EXHAUSTIVE=1, which moves with the seed, and every single point with HARNESS_EXHAUSTIVE=whole.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODES, type Mode } from './dying-io.ts';
import { chanceOf, EFFORT, IS_EXHAUSTIVE, SEED } from '../support/effort.ts';
import { endState, type EndState } from './end-state.ts';
import { liveToTheEnd, liveUntil } from './lives.ts';
import { isSame } from './money.ts';
import type { Scenario } from './scenarios.ts';
import { openShop, type Shop } from './shop.ts';

/** Of a short stretch no fewer points than these in CI, of each kind: none at all would prove nothing. */
const FEWEST = 2;

type Point = { readonly at: number; readonly mode: Mode; readonly tornMs: number };
type Undisturbed = { readonly calls: readonly string[]; readonly end: EndState; readonly turns: number };

/** An agent of the shop needs about half a second: so long into its turn a torn one dies at most. */
const LONGEST_TORN_MS = 500;
/** A later turn of it is over within 50 ms: the moments in which its end is known to the agent and to nobody else. */
const EARLY_TORN_MS = [8, 20, 32] as const;
/** By night all of them; in CI another one for each turn. */
const earlyOf = (turn: number): readonly number[] =>
  EARLY_TORN_MS.filter((_, n) => EFFORT === 'whole' || n === (turn + SEED) % EARLY_TORN_MS.length);

/**
 * `sample`: how many points the fast suite tries. `every`: of the exhaustive one, only each n-th call is the last (and each
 * 2n-th is torn), for scenarios that take long. `chains`: lives in which one death follows another.
 */
export function diesAnywhere(
  scenario: Scenario,
  effort: { readonly sample: number; readonly every?: number; readonly chains?: number },
): void {
  describe(`${scenario.name}`, () => {
    let shop: Shop;
    let undisturbed: Undisturbed;
    beforeAll(async () => {
      shop = openShop(scenario.files, scenario.script);
      undisturbed = await live(scenario, shop);
    });
    afterAll(() => shop.remove());

    test('ends the same wherever the harness died on the way', async () => {
      const chance = chanceOf(SEED);
      const points = pointsOf(scenario, undisturbed.calls, effort, chance);
      const began = performance.now();
      const wrong: string[] = [];
      for (const point of points) wrong.push(...(await dieAt(scenario, shop, undisturbed, [point])));
      expect(wrong).toEqual([]);
      const each = Math.round((performance.now() - began) / points.length);
      console.log(`${scenario.name}: ${points.length} deaths, ${each} ms each`);
    });

    test.runIf(effort.chains !== undefined && IS_EXHAUSTIVE)(
      'ends the same after several deaths in a row',
      async () => {
        const chance = chanceOf(SEED + 1);
        const chains = (effort.chains ?? 0) * (EFFORT === 'whole' ? 4 : 1);
        for (let n = 0; n < chains; n += 1) {
          const deaths = Array.from({ length: 4 }, () => anyPoint(undisturbed.calls.length, chance));
          expect(await dieAt(scenario, shop, undisturbed, deaths)).toEqual([]);
        }
      },
    );
  });
}

async function live(scenario: Scenario, shop: Shop): Promise<Undisturbed> {
  scenario.before?.(shop);
  const { reason, calls } = await liveUntil(scenario.life, shop, 0, 'before');
  expect(reason).toBe(scenario.reason);
  const end = endState(shop);
  // What would make every comparison below a comparison of nothing.
  expect(end).toMatchObject({ dirty: '', leftovers: [], alive: [], lock: null });
  return { calls, end, turns: shop.turnsPlayed() };
}

function pointsOf(
  { from, until }: Scenario,
  calls: readonly string[],
  { sample, every = 1 }: { readonly sample: number; readonly every?: number },
  chance: () => number,
): readonly Point[] {
  const first = from === undefined ? 0 : calls.findIndex(from);
  const last = until === undefined ? -1 : calls.findIndex((call, n) => n >= first && until(call));
  expect(first, 'the first point of the scenario').toBeGreaterThanOrEqual(0);
  const numbers = calls.map((_, n) => n + 1).slice(first, last < 0 ? undefined : last + 1);
  expect(numbers.length).toBeGreaterThan(5);
  const tornMs = (): number => Math.floor(chance() * LONGEST_TORN_MS);
  // Just after a call and just before the next is the same moment: everything durable is a call.
  const each = (mode: Mode, nth: number): readonly Point[] => {
    const stride = Math.min(nth, Math.floor(numbers.length / FEWEST));
    return numbers
      .filter((at) => EFFORT === 'whole' || (at + SEED) % stride === 0)
      .map((at): Point => ({ at, mode, tornMs: tornMs() }));
  };
  const early = numbers
    .filter((at) => calls[at - 1]?.includes('agent turn'))
    .flatMap((at, turn) => earlyOf(turn).map((tornMs): Point => ({ at, mode: 'torn', tornMs })));
  if (IS_EXHAUSTIVE) return [...each('after', every), ...each('torn', 2 * every), ...early];
  return Array.from({ length: sample }, () => ({
    at: numbers[Math.floor(chance() * numbers.length)] ?? 1,
    mode: MODES[Math.floor(chance() * MODES.length)] ?? 'after',
    tornMs: tornMs(),
  }));
}

const anyPoint = (calls: number, chance: () => number): Point => ({
  at: 1 + Math.floor(chance() * calls),
  mode: MODES[Math.floor(chance() * MODES.length)] ?? 'after',
  tornMs: Math.floor(chance() * LONGEST_TORN_MS),
});

/** One life after the other dies where it is told to, if it comes so far; the last goes on to its end. Answers what is wrong then. */
async function dieAt(
  scenario: Scenario,
  shop: Shop,
  { end, turns }: Undisturbed,
  deaths: readonly Point[],
): Promise<readonly string[]> {
  shop.renew();
  scenario.before?.(shop);
  const told: string[] = [];
  let cut = 0;
  for (const { at, mode, tornMs } of deaths) {
    const { died, calls } = await liveUntil(scenario.life, shop, at, mode, () => pause(tornMs));
    const call = (calls[at - 1] ?? '').replaceAll(shop.top, '');
    told.push(died ? `${mode} #${at} ${call}${call.includes('agent') ? ` (${tornMs} ms)` : ''}` : `#${at} not reached`);
    if (died && call.includes('agent turn')) cut += 1;
    if (!died) break;
  }
  const where = `${told.join(', then ')} (seed ${SEED})`;
  const reason = await liveToTheEnd(scenario.life, shop);
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
