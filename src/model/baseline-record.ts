// Which tests must pass from now on, as a verdict gives it.
import type { Verdict } from './verdict.ts';

/** `passing`: a file with their ids; null: the runner gives no report per test. */
export type BaselineRecord = {
  readonly passing: string | null;
  readonly total: number;
  readonly tree: string;
  readonly suite: 'green' | 'red';
};

/** The ids that passed, if there is a report, and how the suite ended. null: no suite ran. */
export function baselineFrom(verdict: Verdict, tree: string): BaselineRecord | null {
  const { passing, tests } = verdict;
  const full = verdict.checks.find(({ name }) => name === 'full') ?? verdict.checks.find(({ name }) => name === 'test');
  const suite = full?.exit === 0 ? 'green' : 'red';
  if (passing !== null) return { passing, total: tests?.total ?? 0, tree, suite };
  return full === undefined ? null : { passing: null, total: 0, tree, suite };
}
