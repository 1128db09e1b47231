// Test results in one form, whatever runner produced them.
import { z } from 'zod';

export type TestStatus = 'passed' | 'failed' | 'skipped';

/** `runner|file|suite > suite|name`, then `#2`, `#3` … where one file repeats a title. Stable between runs. */
export type TestId = string;

/** As people read it: file, suite, name. Anything else stays as it is. */
export function nameOfTest(id: string): string {
  const [runner = '', file = '', suite, ...name] = id.split('|');
  if (suite === undefined || name.length === 0 || !/^[a-z]+$/.test(runner)) return id;
  return [file, suite, name.join('|')].filter((part) => part !== '').join(' > ');
}

/** The file in an id; '' where the runner does not say. */
export const fileOfTest = (id: TestId): string => id.split('|')[1] ?? '';

export type TestCase = {
  readonly id: TestId;
  readonly runner: string;
  /** Repository-relative with forward slashes; '' where the runner does not say. */
  readonly file: string;
  readonly suite: readonly string[];
  readonly name: string;
  readonly status: TestStatus;
  readonly ms: number;
  /** First line of the failure, with what follows its colon, cut to 300 characters; '' where it passed. */
  readonly message: string;
};

export type TestReport = {
  readonly cases: readonly TestCase[];
  /** Why the report as a whole cannot be trusted: plan mismatch, bail-out, a file that failed to load. */
  readonly defects: readonly string[];
};

export const testCountsSchema = z.object({
  total: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
});
export type TestCounts = z.output<typeof testCountsSchema>;

export function countTests(cases: readonly TestCase[]): TestCounts {
  const of = (status: TestStatus) => cases.filter((c) => c.status === status).length;
  return { total: cases.length, passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

/** The content of `.harness/test_baseline.json`, plus the tree it was taken from. */
export type TestBaseline = {
  readonly session: number;
  readonly timestamp: string;
  readonly passing_tests: readonly TestId[];
  readonly total_passing: number;
  readonly total_tests: number;
  readonly tree?: string;
  /** Result of the whole suite by its exit code; left out in baselines of older versions. */
  readonly suite?: 'green' | 'red';
};
