// Judges a run in which every test was made to fail from outside. Pure.
import type { TestId } from '../../model/report.ts';
import type { CheckRun } from '../evidence.ts';

/** Tests reported as passed; none: the run ended as if nothing had failed, or reported nothing. */
export type HiddenFailures = { readonly ids: readonly TestId[] };

export type FailingRunResult = {
  readonly failed: ReadonlySet<TestId>;
  readonly passed: readonly TestId[];
  /** Its exit code reports a failure. */
  readonly isRed: boolean;
};

/** null: it did not finish or wrote no report. */
export function resultOfFailingRun({ exit, read }: Pick<CheckRun, 'exit' | 'read'>): FailingRunResult | null {
  if (exit.ended !== null || read.kind !== 'read') return null;
  const of = (status: string): readonly TestId[] =>
    read.report.cases.filter((c) => c.status === status).map(({ id }) => id);
  return { failed: new Set(of('failed')), passed: of('passed'), isRed: exit.code !== 0 };
}

const isPlain = (result: FailingRunResult): boolean =>
  result.isRed && result.failed.size > 0 && result.passed.length === 0;

/**
 * `none`: all tests failed, as intended. `unknown`: not all tests failed with the old source either. `before`: the run with the old
 * source; null: not run yet, or without result.
 */
export function hiddenIn(
  now: FailingRunResult | null,
  before: FailingRunResult | null,
): HiddenFailures | 'none' | 'unknown' {
  if (now !== null && isPlain(now)) return 'none';
  if (before === null) return 'unknown';
  if (isPlain(before)) return { ids: now?.passed ?? [] };
  const ids = (now?.passed ?? []).filter((id) => before.failed.has(id));
  const isQuiet = now !== null && before.isRed && !now.isRed;
  return ids.length > 0 || isQuiet ? { ids } : 'unknown';
}
