// The grid of the workflow as tests, one for each scenario. Each file of tests has a worker of its own.
import { describe, expect, test } from 'vitest';
import { EFFORT, IS_EXHAUSTIVE, SEED, sampleOf } from '../../support/effort.ts';
import { dieAndJudge } from '../quick/grid.ts';
import { judgeOf } from './holds.ts';
import type { WorkflowScenario } from './scenario.ts';
import { WORKFLOWS } from './scenarios.ts';

/** Moments of one scenario: a sample in the fast suite, in CI more, by night each durable call. */
const MOST = EFFORT === 'whole' ? Infinity : IS_EXHAUSTIVE ? 12 : 3;
const DOUBLES = IS_EXHAUSTIVE ? 2 : 1;
/** Of a share of the scenarios so many are played in the fast suite: a life of one is a second of work. */
const SAMPLE = 3;
/** Of one scenario: 600 durable calls are 1,500 deaths. */
const LONGEST_MS = EFFORT === 'whole' ? 7_200_000 : 900_000;
/** What is promised of everything in full. */
const DEATHS = 300;

export const diesAtWorkflows = (from: number, of: number): void => {
  describe(`the grid of the workflow, ${from + 1} of ${of} (seed ${SEED})`, () => {
    const share = WORKFLOWS.filter((_, at) => at % of === from);
    let deaths = 0;
    const dies = async (scenario: WorkflowScenario): Promise<void> => {
      const { points, calls, ms, wrong } = await dieAndJudge(
        scenario,
        { most: MOST, doubles: DOUBLES },
        judgeOf(scenario),
      );
      deaths += points;
      console.log(`${scenario.name}: ${points} deaths in ${calls} calls, ${Math.round(ms / points)} ms each`);
      expect(wrong).toEqual([]);
    };
    test.each(sampleOf(share, SAMPLE))('$name: what must hold does, wherever it died on the way', dies, LONGEST_MS);
    test.runIf(IS_EXHAUSTIVE)('its share of the deaths that are promised was died', () => {
      console.log(`${deaths} deaths in ${share.length} scenarios`);
      expect(deaths).toBeGreaterThanOrEqual(DEATHS / of);
    });
  });
};
