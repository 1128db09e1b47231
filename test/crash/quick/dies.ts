// A grid as tests, one for each scenario. Each file of tests has a worker of its own: every core plays its share.
import { describe, expect, test } from 'vitest';
import { IS_EXHAUSTIVE, IS_NIGHT, sampleOfRows } from '../../support/effort.ts';
import { dieAndJudge, type Judge } from './grid.ts';
import type { QuickScenario } from './scenarios.ts';

export type Plan<S, End> = {
  readonly grid: string;
  /** What is claimed of each scenario. */
  readonly claim: string;
  readonly scenarios: readonly S[];
  judgeOf(scenario: S): Judge<End>;
  /** Moments of one scenario, and how many of them die a second time: in the fast suite, and in CI. By night it is each durable call. */
  readonly fast: readonly [moments: number, doubles: number];
  readonly ci: readonly [moments: number, doubles: number];
  /** Of a share of the scenarios so many are played in the fast suite, and in CI. By night it is each. */
  readonly sample: number;
  readonly inCi: number;
  /** What is promised of CI. */
  readonly promised: { readonly scenarios: number; readonly deaths: number };
};

/** Of one scenario by night: 600 durable calls are 1,500 deaths. */
const LONGEST_MS = IS_NIGHT ? 7_200_000 : undefined;

/** The share `from` of `of`. */
export function diesThrough<S extends QuickScenario, End>(plan: Plan<S, End>, from: number, of: number): void {
  const [moments, doubles] = IS_EXHAUSTIVE ? plan.ci : plan.fast;
  const effort = { most: IS_NIGHT ? Infinity : moments, doubles };
  describe(`${plan.grid}, ${from + 1} of ${of}`, () => {
    const share = plan.scenarios.filter((_, at) => at % of === from);
    let deaths = 0;
    const dies = async (scenario: S): Promise<void> => {
      const { points, calls, ms, wrong } = await dieAndJudge(scenario, effort, plan.judgeOf(scenario));
      deaths += points;
      console.log(`${scenario.name}: ${points} deaths in ${calls} calls, ${Math.round(ms / points)} ms each`);
      expect(wrong, wrong.join('\n')).toEqual([]);
    };
    test.each(sampleOfRows(share, plan.sample, plan.inCi))(`$name: ${plan.claim}`, dies, LONGEST_MS);
    test.runIf(IS_EXHAUSTIVE)('its share of the deaths that are promised was died', () => {
      console.log(`${deaths} deaths of ${share.length} scenarios`);
      expect(plan.scenarios.length).toBeGreaterThanOrEqual(plan.promised.scenarios);
      expect(deaths).toBeGreaterThanOrEqual(plan.promised.deaths / of);
    });
  });
}
