// Every failure that `npm run explore` ever found is played again by its seed, and does not fail any more.
import { expect, test } from 'vitest';
import { allCases, casesIn, replay } from '../support/cases.ts';

test.for([...allCases()])('%s', async ([, found]) => {
  expect(await replay(found)).toBe('');
});

test('a failed test of a report becomes a case that names no folder of this machine', () => {
  const name = `${process.cwd()}/test/simulator/missions-odd.test.ts`;
  const failed = (message: string) => ({
    testResults: [
      { name, message: '', assertionResults: [{ fullName: 'it holds', status: 'failed', failureMessages: [message] }] },
    ],
  });
  const read = (message: string) => casesIn(failed(message), () => 'simulator', 7).cases;
  const about = { project: 'simulator', file: 'test/simulator/missions-odd.test.ts', test: 'it holds' };
  expect(read('\u001B[31mError\u001B[39m: 1 is not 2 in /tmp/harness-x/shop\n    at file:1')).toEqual([
    { ...about, seed: 7, found: 'Error: 1 is not 2 in …' },
  ]);
  expect(read('HARNESS_SEED=4711: a budget is exceeded')).toMatchObject([{ ...about, seed: 4711 }]);
});

test('a suite that cannot be loaded is a problem, not a case', () => {
  const report = {
    testResults: [{ name: `${process.cwd()}/test/x.test.ts`, message: 'no such module', assertionResults: [] }],
  };
  expect(casesIn(report, () => 'unit', 7)).toEqual({ cases: [], problems: ['test/x.test.ts: no such module'] });
});
