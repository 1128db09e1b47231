// The json report that jest invented and vitest writes too: files with their assertions, suite titles kept apart.
import { z } from 'zod';
import type { TestReport, TestStatus } from '../../model/report.ts';
import { ok, type Result } from '../../model/result.ts';
import { relativeTo, unreadable, UNLOADED, withIds, type RawCase } from './cases.ts';

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
type Report = z.infer<typeof reportSchema>;

/** `root`: the real path of the work tree. Fails with `report-unreadable`. */
export function parseJestForm(runner: 'jest' | 'vitest', text: string, root: string): Result<TestReport> {
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
    // The file failed outside any test: it did not load, holds no test, left early, or its clean-up failed.
    defects.push(`${name}: ${UNLOADED}`);
    const message = (file.message ?? '').replace(/^\s*● Test suite failed to run\s+/, '');
    return [...cases, { file: name, suite: [], name: UNLOADED, status: 'failed', ms: 0, message }];
  });
  const failing = raw.some((c) => c.status === 'failed');
  if (!report.data.success && !failing && raw.length > 0) defects.push('the run failed outside every test');
  return ok({
    cases: withIds(runner, raw),
    defects: [...defects, ...(runner === 'jest' ? jestDefects(report.data) : [])],
  });
}

function read(file: string, a: z.infer<typeof assertionSchema>): RawCase {
  const status: TestStatus = a.status === 'passed' ? 'passed' : a.status === 'failed' ? 'failed' : 'skipped';
  const message = a.failureMessages?.[0] ?? '';
  return { file, suite: a.ancestorTitles, name: a.title, status, ms: a.duration ?? 0, message };
}

/** A run that was ended early, that counts more than it tells, or that wrote what it should have compared with. */
function jestDefects({ wasInterrupted, numTotalTests, snapshot, testResults }: Report): readonly string[] {
  const told = testResults.reduce((sum, file) => sum + file.assertionResults.length, 0);
  const written = (snapshot?.added ?? 0) + (snapshot?.updated ?? 0);
  return [
    ...(wasInterrupted === true ? ['the run was interrupted'] : []),
    ...(numTotalTests !== undefined && numTotalTests > told
      ? [`the run counted ${numTotalTests} tests, its report holds ${told}`]
      : []),
    ...(written > 0 ? [`${written} snapshots were written instead of compared`] : []),
  ];
}
