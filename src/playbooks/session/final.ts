// The final check, when every item has landed: the whole suite, lint, and the items whose tests fail. Maintenance runs the same.
import { z } from 'zod';
import { defineProcedure, readFacts } from '../../engine/definitions.ts';
import { finalResult, type FinalResult } from '../../engine/playbook.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { baselineCheck, featureChecks, lintCheck } from './checks.ts';
import { startEnvironment } from './preflight.ts';
import { owners, testedItems } from './surveys.ts';

/** Every item has landed: where a program is not there, none of them broke it. */
const FINAL = { kind: 'check', purpose: 'final', session: null, mustStart: true } as const;

export const final = defineProcedure({
  id: 'final',
  input: z.object({}),
  output: finalResult,
  async perform(run, _input, config): Promise<FinalResult> {
    const failure = await startEnvironment(run, config);
    if (failure !== null) return { end: 'unready', failure };
    const checks = [...baselineCheck(config), ...lintCheck(config)];
    const verdict = await run.do('check', { ...FINAL, checks });
    const { tests, problems } = verdict;
    if (!verdict.holds)
      return { end: 'broken', tests, problems, broken: await brokenBy(run, verdict.regressions, config) };
    // Tests that failed before the first run, and tests of skipped items, may fail; an item that landed may not.
    const isGreen = verdict.checks.some(({ name, exit }) => name === 'full' && exit === 0);
    const broken = isGreen ? [] : await failingItems(run, config);
    return broken.length === 0 ? { end: 'holds' } : { end: 'broken', tests, problems, broken };
  },
});

/** Found by the files in the ids of the failing tests; if ids name no files, by running the tests of the items. */
async function brokenBy(run: Run<Actions>, tests: readonly string[], config: Config): Promise<readonly string[]> {
  const found = await readFacts(run, owners, { tests });
  return found.owners.length > 0 ? found.owners.map(({ id }) => id) : failingItems(run, config);
}

/** Items that landed and whose own test fails twice in a row: one failure may be a flaky test's. */
async function failingItems(run: Run<Actions>, config: Config): Promise<readonly string[]> {
  const { items } = await readFacts(run, testedItems, {});
  const broken: string[] = [];
  for (const { id, testFile } of items) {
    const checks = featureChecks({ testFile }, config).filter((check) => check.name === 'feature');
    if (checks.length === 0) continue;
    const holds = async (step: Run<Actions>): Promise<boolean> => (await step.do('check', { ...FINAL, checks })).holds;
    if (!(await holds(run.scope(`feature-${id}`))) && !(await holds(run.scope(`feature-${id}-again`)))) broken.push(id);
  }
  return broken;
}
