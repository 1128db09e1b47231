// When everything has landed: the whole suite once more, lint, and whose tests fail (reference 000, All Done State). The same looks
// after the project in maintenance.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { TestCounts } from '../../model/report.ts';
import type { Problem } from '../../model/verdict.ts';
import { ask } from './asks.ts';
import { baselineCheck, featureChecks, lintCheck } from './checks.ts';
import { environment } from './preflight.ts';

export type Final =
  /** The project could not be started: nothing is known of it. */
  | { readonly end: 'unready'; readonly failure: Failure }
  | { readonly end: 'holds'; readonly tests: TestCounts | null; readonly warnings: readonly Problem[] }
  /** `broken`: the items whose tests fail, as far as that can be told. */
  | {
      readonly end: 'broken';
      readonly tests: TestCounts | null;
      readonly problems: readonly Problem[];
      readonly broken: readonly string[];
    };

export async function final(run: Run<Actions>, _input: unknown, config: Config): Promise<Final> {
  const unready = await environment(run, config);
  if (unready !== null) return { end: 'unready', failure: unready };
  const checks = [...baselineCheck(config), ...lintCheck(config)];
  const verdict = await run.do('check', { kind: 'check', purpose: 'final', session: null, checks });
  const { tests, warnings, problems } = verdict;
  if (!verdict.holds)
    return { end: 'broken', tests, problems, broken: await brokenBy(run, verdict.regressions, config) };
  // A suite may stay red for what failed before the harness came, and for what is left out; an item marked as done may not fail.
  const isGreen = verdict.checks.some(({ name, exit }) => name === 'full' && exit === 0);
  const broken = isGreen ? [] : await failingItems(run, config);
  return broken.length === 0 ? { end: 'holds', tests, warnings } : { end: 'broken', tests, problems, broken };
}

/** By the files in the ids of the failing tests; where ids name no files, by running the tests of the items themselves. */
async function brokenBy(run: Run<Actions>, tests: readonly string[], config: Config): Promise<readonly string[]> {
  const { backlog } = config.paths;
  const found = await ask<{ owners: readonly { id: string }[] }>(run, 'owners', { backlog, tests });
  return found.owners.length > 0 ? found.owners.map(({ id }) => id) : failingItems(run, config);
}

/** Items that are marked as done and whose own test fails, twice in a row: one failure may be a flaky test's. */
async function failingItems(run: Run<Actions>, config: Config): Promise<readonly string[]> {
  const { backlog } = config.paths;
  const { items } = await ask<{ items: readonly { id: string; testFile: string }[] }>(run, 'tested', { backlog });
  const broken: string[] = [];
  for (const { id, testFile } of items) {
    const checks = featureChecks({ testFile }, config).filter((check) => check.name === 'feature');
    if (checks.length === 0) continue;
    const holds = async (step: Run<Actions>): Promise<boolean> =>
      (await step.do('check', { kind: 'check', purpose: 'final', session: null, checks })).holds;
    if (!(await holds(run.scope(`feature-${id}`))) && !(await holds(run.scope(`feature-${id}-again`)))) broken.push(id);
  }
  return broken;
}
