// The quick grid as tests, one for each scenario. Each file of tests has a worker of its own: every core plays its share.
import { describe, expect, test } from 'vitest';
import { EFFORT, IS_EXHAUSTIVE, SEED, sampleOf } from '../../support/effort.ts';
import { dieEverywhere } from './grid.ts';
import { QUICK } from './scenarios.ts';

/** Of one scenario: at night more than 2,000 over all of them, which takes twenty minutes on two cores; in CI a fifth of that. */
const MOST = EFFORT === 'whole' ? 40 : IS_EXHAUSTIVE ? 5 : 4;
const DOUBLES = IS_EXHAUSTIVE ? 2 : 1;
/** Of a share of the scenarios so many are played in the fast suite. */
const SAMPLE = 2;

export const diesQuickly = (from: number, of: number): void => {
  describe(`the quick grid, ${from + 1} of ${of} (seed ${SEED})`, () => {
    const share = QUICK.filter((_, at) => at % of === from);
    test.each(sampleOf(share, SAMPLE))('$name: the same end wherever it died on the way', async (scenario) => {
      const { points, calls, ms, wrong } = await dieEverywhere(scenario, { most: MOST, doubles: DOUBLES });
      console.log(`${scenario.name}: ${points} deaths in ${calls} calls, ${Math.round(ms / points)} ms each`);
      expect(wrong).toEqual([]);
    });
  });
};
