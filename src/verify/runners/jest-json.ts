// The json report of jest, which vitest writes too: files with their assertions, suite titles kept apart.
import { z } from 'zod';
import type { TestReport, TestStatus } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import { relativeTo, unreadable, UNLOADED, withIds, type RawCase } from './cases.ts';
import type { ReportReader } from './runner.ts';

const assertionSchema = z.object({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: z.string(),
  duration: z.number().nullish(),
  failureMessages: z.array(z.string()).nullish(),
});
const reportSchema = z.object({
  success: z.boolean(),
  wasInterrupted: z.boolean().optional(),
  numTotalTests: z.int().optional(),
  snapshot: z.object({ added: z.int().optional(), updated: z.int().optional() }).optional(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().nullish(),
      assertionResults: z.array(assertionSchema),
    }),
  ),
});
export type JestReport = z.infer<typeof reportSchema>;

/** `moreDefects`: what only the reports of this runner show. */
export const jestJsonReader = (
  runner: string,
  moreDefects: (report: JestReport) => readonly string[] = () => [],
): ReportReader => ({ parse: (text, root) => parse(runner, text, root, moreDefects) });

function parse(
  runner: string,
  text: string,
  root: string,
  moreDefects: (report: JestReport) => readonly string[],
): Result<TestReport> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return unreadable(runner, error instanceof Error ? error.message : String(error));
  }
  const report = reportSchema.safeParse(value);
  if (!report.success) return unreadable(runner, z.prettifyError(report.error));
  const defects: string[] = [];
  const raw = report.data.testResults.flatMap((file): RawCase[] => {
    const name = relativeTo(root, file.name);
    const cases = file.assertionResults.map((a) => read(name, a));
    if (file.status !== 'failed' || cases.some((c) => c.status === 'failed')) return cases;
    // The file failed outside any test: it did not load, holds no test, ended early, or its clean-up failed.
    defects.push(`${name}: ${UNLOADED}`);
    const message = (file.message ?? '').replace(/^\s*● Test suite failed to run\s+/, '');
    return [...cases, { file: name, suite: [], name: UNLOADED, status: 'failed', ms: 0, message }];
  });
  const failing = raw.some((c) => c.status === 'failed');
  if (!report.data.success && !failing && raw.length > 0) defects.push('the run failed outside every test');
  return ok({ cases: withIds(runner, raw), defects: [...defects, ...moreDefects(report.data)] });
}

function read(file: string, a: z.infer<typeof assertionSchema>): RawCase {
  const status: TestStatus = a.status === 'passed' ? 'passed' : a.status === 'failed' ? 'failed' : 'skipped';
  const message = a.failureMessages?.[0] ?? '';
  return { file, suite: a.ancestorTitles, name: a.title, status, ms: a.duration ?? 0, message };
}
