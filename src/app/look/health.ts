// The health of the project, from measurements: the backlog, the latest valid checks, the sizes of files. Takes no lock and
// runs nothing, so it works during a run. What was not measured is reported as unknown.
import type { Json } from '../../model/json.ts';
import { ok, type Result } from '../../model/result.ts';
import { readBaseline } from '../../verify/baseline.ts';
import { healthOf, lintErrors, measuredParts, nextCleanup, shareOf, type Health } from '../../verify/health.ts';
import { lastChecks } from '../../verify/last-checks.ts';
import { countLines, linesOf, readSizes } from '../../verify/sizes.ts';
import { readCurrentItems } from './current-items.ts';
import { stagedFiles } from '../../repos/index.ts';
import { recordPath } from '../../repos/records.ts';
import type { Target } from '../open/target.ts';
import { openProjectView, type Where } from '../open/project-view.ts';

type Measured = { readonly from: string; readonly at: string | null };
export type ProjectHealth = Health & {
  readonly project: string;
  readonly features: { readonly passing: number; readonly total: number };
  readonly tests: (Measured & { readonly passed: number; readonly total: number }) | null;
  readonly lint: (Measured & { readonly errors: number; readonly lines: number; readonly command: string }) | null;
  readonly files: readonly { readonly path: string; readonly lines: number }[];
  readonly fileCount: number;
  readonly filesFrom: 'record' | 'now';
  readonly maxFileLines: number;
  readonly featureCompletion: number | null;
  readonly testPassRate: number | null;
  readonly lintScore: number | null;
  readonly fileHealth: number;
  readonly nextCleanup: number | null;
};

export async function readHealth(target: Target, where: Where): Promise<Result<ProjectHealth>> {
  const view = await openProjectView(where);
  if (!view.ok) return view;
  const current = await readCurrentItems(view.value);
  if (!current.ok) return current;
  const { items } = current.value;
  const landed = items.filter(({ status }) => status === 'landed').length;
  const checks = lastChecks(target.privateDir);
  const baseline = readBaseline(recordPath(target, 'test_baseline.json'));
  if (!baseline.ok) return baseline;
  const sizes = await sizesOf(target);
  if (!sizes.ok) return sizes;
  const lines = Object.values(sizes.value.lines).reduce((sum, count) => sum + count, 0);
  const { maxFileLines, cleanupInterval } = target.config.quality;
  const large = Object.entries(sizes.value.lines).filter(([, count]) => count > maxFileLines);
  const fileCount = Object.keys(sizes.value.lines).length;

  const { full, lint: linted } = checks;
  const kept = baseline.value;
  const tests =
    full !== null && full.tests !== null
      ? { passed: full.tests.passed, total: full.tests.total, from: full.purpose, at: full.started }
      : kept !== null && kept.total_tests > 0
        ? { passed: kept.total_passing, total: kept.total_tests, from: 'baseline', at: kept.timestamp }
        : null;
  const errors = linted === null ? null : lintErrors(linted.exit, linted.output);
  const lint =
    linted === null || errors === null
      ? null
      : { errors, lines, command: linted.command, from: linted.purpose, at: linted.started };
  const shares = {
    features: shareOf(landed, items.length),
    ...measuredParts({ tests, lintErrors: errors, lines: Object.values(sizes.value.lines), maxFileLines }),
  };
  return ok({
    ...healthOf(shares),
    project: view.value.project,
    features: { passing: landed, total: items.length },
    tests,
    lint,
    files: large.map(([path, count]) => ({ path, lines: count })).sort((a, b) => b.lines - a.lines),
    fileCount,
    filesFrom: sizes.value.from,
    maxFileLines,
    featureCompletion: shares.features,
    testPassRate: shares.tests,
    lintScore: shares.lint,
    fileHealth: shares.files,
    nextCleanup: nextCleanup(landed, cleanupInterval),
  });
}

type Sizes = { readonly from: 'record' | 'now'; readonly lines: { readonly [path: string]: number } };

/** The recorded sizes; without a record the tracked files are counted now. */
async function sizesOf(target: Target): Promise<Result<Sizes>> {
  const { git, root } = target;
  const record = readSizes(recordPath(target, 'file_sizes.json'));
  if (!record.ok) return record;
  if (record.value !== null) {
    const files = Object.entries(record.value.files).map(([path, { lines }]): [string, number] => [path, lines]);
    return ok({ from: 'record', lines: Object.fromEntries(files) });
  }
  const listed = await stagedFiles(git);
  if (!listed.ok) return listed;
  const files = listed.value.flatMap(({ path, mode, id }) => (mode.startsWith('100') ? [{ path, stamp: id }] : []));
  return ok({ from: 'now', lines: linesOf(countLines(root, files, {})) });
}

export const healthJson = (h: ProjectHealth): { readonly [key: string]: Json } => ({
  project: h.project,
  overall: h.overall,
  status: h.status,
  feature_completion: h.featureCompletion,
  test_pass_rate: h.testPassRate,
  lint_score: h.lintScore,
  file_health: h.fileHealth,
  files: h.files.map((file) => ({ ...file, max: h.maxFileLines })),
  next_cleanup: h.nextCleanup,
  features: h.features,
  tests: h.tests,
  lint: h.lint,
  file_count: h.fileCount,
  files_from: h.filesFrom,
  weights: Object.fromEntries(
    Object.entries(h.weights).map(([part, weight]) => [part, Math.round(weight * 1000) / 1000]),
  ),
  unknown: h.unknown,
});
