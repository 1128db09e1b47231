// The quick grid as tests, one for each scenario. Each file of tests has a worker of its own: every core plays its share.
import { describe, expect, test } from 'vitest';
import { EFFORT, IS_EXHAUSTIVE, SEED, sampleOf } from '../../support/effort.ts';
import { dieEverywhere } from './grid.ts';
import { QUICK } from './scenarios.ts';

/** Moments of one scenario: in CI more than 2,000 over all of them, five minutes on two cores; by night each durable call. */
const MOST = EFFORT === 'whole' ? Infinity : IS_EXHAUSTIVE ? 39 : 4;
const DOUBLES = IS_EXHAUSTIVE ? 2 : 1;
/** Of a share of the scenarios so many are played in the fast suite. */
const SAMPLE = 2;
/** What is promised of everything in full. */
const SCENARIOS = 40;
const DEATHS = 2_000;

export const diesQuickly = (from: number, of: number): void => {
  describe(`the quick grid, ${from + 1} of ${of} (seed ${SEED})`, () => {
    const share = QUICK.filter((_, at) => at % of === from);
    let deaths = 0;
    test.each(sampleOf(share, SAMPLE))('$name: the same end wherever it died on the way', async (scenario) => {
      const { points, calls, ms, wrong } = await dieEverywhere(scenario, { most: MOST, doubles: DOUBLES });
      deaths += points;
      console.log(`${scenario.name}: ${points} deaths in ${calls} calls, ${Math.round(ms / points)} ms each`);
      expect(wrong).toEqual([]);
    });
    test.runIf(IS_EXHAUSTIVE)('its share of the deaths that are promised was died', () => {
      console.log(`${deaths} deaths in ${share.length} scenarios`);
      expect(QUICK.length).toBeGreaterThanOrEqual(SCENARIOS);
      expect(deaths).toBeGreaterThanOrEqual(DEATHS / of);
    });
  });
};
