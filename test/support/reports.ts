// What a report reader returned, in the form that expectations compare.
import type { TestReport } from '../../src/model/report.ts';
import type { Result } from '../../src/model/result.ts';

export const reportIn = (parsed: Result<TestReport>): TestReport => {
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.failure));
  return parsed.value;
};
/** `status id` of each case. */
export const casesIn = (parsed: Result<TestReport>): string[] =>
  reportIn(parsed).cases.map((c) => `${c.status} ${c.id}`);
export const reasonIn = (parsed: Result<TestReport>): string => (parsed.ok ? 'read' : parsed.failure.reason);
