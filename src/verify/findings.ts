// What one run of one check says about the work: exit code against report, report against baseline. Pure.
import type { CheckSpec } from '../model/action.ts';
import type { Params } from '../model/failure.ts';
import { countTests, type TestBaseline, type TestId, type TestReport } from '../model/report.ts';
import type { Problem, ProblemCode } from '../model/verdict.ts';
import type { Exit } from '../host/process.ts';
import { compareWithBaseline } from './baseline.ts';
import { UNLOADED } from './reports/cases.ts';

/** What became of the report. `none`: this runner gives none, the exit code is all there is. */
export type ReportRead =
  | { readonly kind: 'none' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'read'; readonly report: TestReport };

export type Findings = {
  readonly problems: readonly Problem[];
  /** True and worth saying, but not deciding. */
  readonly remarks: readonly Problem[];
  /** Baseline ids that do not pass any more, whatever became of them. */
  readonly regressions: readonly TestId[];
};

/** Problems name at most so many ids; the count is in `params.count`, the whole list in the evidence. */
const MAX_IDS = 50;
/** What a shell answers when there is no such program. */
const NOT_FOUND = 127;

export function judge(spec: CheckSpec, exit: Exit, read: ReportRead, baseline: TestBaseline | null): Findings {
  const stopped = judgeExit(spec, exit);
  if (stopped !== null) return { problems: [stopped], remarks: [], regressions: [] };
  if (read.kind === 'none') return judgeExitOnly(spec, exit, baseline);
  if (read.kind === 'missing') return only(problem(spec, 'report-missing', exitParams(exit)));
  if (read.kind === 'unreadable') return only(problem(spec, 'report-unreadable', { why: read.why }));
  return spec.against === 'baseline'
    ? judgeAgainstBaseline(spec, read.report, baseline)
    : judgeReport(spec, exit, read.report);
}

/** Runs that ended in a way no report can make good. */
function judgeExit(spec: CheckSpec, exit: Exit): Problem | null {
  switch (exit.ended) {
    case 'wall':
    case 'idle':
      return problem(spec, 'check-timed-out', { seconds: Math.round(exit.ms / 1000), limit: spec.timeoutMs / 1000 });
    case 'flood':
      return problem(spec, 'check-output-flood', { bytes: exit.bytes });
    case 'missing':
      return problem(spec, 'command-missing');
    case 'aborted':
      return problem(spec, 'check-failed', { exit: 'aborted' });
    case null:
      break;
  }
  return exit.code === NOT_FOUND ? problem(spec, 'command-missing') : null;
}

function judgeExitOnly(spec: CheckSpec, exit: Exit, baseline: TestBaseline | null): Findings {
  if (exit.code === 0) return only();
  if (spec.against === null) return only(problem(spec, 'check-failed', exitParams(exit)));
  const wasGreen = baseline !== null && suiteOf(baseline) === 'green';
  if (wasGreen) return only(problem(spec, 'suite-newly-failing', exitParams(exit)));
  return { ...only(), remarks: [problem(spec, 'check-failed', exitParams(exit))] };
}

/** A baseline from a runner with a report was green if every test passed. */
const suiteOf = (b: TestBaseline): 'green' | 'red' =>
  b.suite ?? (b.total_tests > 0 && b.total_passing === b.total_tests ? 'green' : 'red');

function judgeReport(spec: CheckSpec, exit: Exit, report: TestReport): Findings {
  const problems = [...judgeExecuted(spec, report), ...judgeDefects(spec, report)];
  const failing = report.cases.filter((c) => c.status === 'failed').map((c) => c.id);
  if (failing.length > 0) problems.push(problem(spec, 'tests-failed', {}, failing));
  if (failing.length > 0 && exit.code === 0)
    problems.push(problem(spec, 'exit-contradicts-report', { exit: 0, failed: failing.length }));
  if (exit.code !== 0 && problems.length === 0) {
    // A red exit that no case explains: hidden failures, a plugin, a threshold. Without cases it is simply red.
    const code = report.cases.length > 0 ? 'exit-contradicts-report' : 'check-failed';
    problems.push(problem(spec, code, { ...exitParams(exit), failed: 0 }));
  }
  return { problems, remarks: [], regressions: [] };
}

/** Exit code, new failures and defects do not decide: stubs of work to come keep a suite red. Every known id does. */
function judgeAgainstBaseline(spec: CheckSpec, report: TestReport, baseline: TestBaseline | null): Findings {
  const { failed, missing, skipped } = compareWithBaseline(baseline?.passing_tests ?? [], report.cases);
  const problems = [...judgeExecuted(spec, report)];
  if (failed.length > 0) problems.push(problem(spec, 'regression', {}, failed));
  if (missing.length > 0) problems.push(problem(spec, 'tests-missing', {}, missing));
  if (skipped.length > 0) problems.push(problem(spec, 'tests-newly-skipped', {}, skipped));
  const regressions = [...failed, ...missing, ...skipped].sort();
  return { problems, remarks: judgeDefects(spec, report), regressions };
}

function judgeExecuted(spec: CheckSpec, report: TestReport): Problem[] {
  const tests = report.cases.filter((c) => c.name !== UNLOADED); // a file that did not load executed nothing
  const { total, passed, failed } = countTests(tests);
  if (!spec.needsTests || passed + failed > 0) return [];
  return [total === 0 ? problem(spec, 'no-tests-executed') : problem(spec, 'all-tests-skipped', { count: total })];
}

const judgeDefects = (spec: CheckSpec, report: TestReport): Problem[] =>
  report.defects.length === 0 ? [] : [problem(spec, 'report-incomplete', {}, report.defects)];

const only = (...problems: readonly Problem[]): Findings => ({ problems, remarks: [], regressions: [] });

const exitParams = (exit: Exit): Params => ({ exit: exit.code ?? exit.signal ?? 'unknown' });

function problem(spec: CheckSpec, code: ProblemCode, params: Params = {}, ids?: readonly string[]): Problem {
  const base = { code, params: { check: spec.name, command: spec.command, ...params } };
  if (ids === undefined) return base;
  return { ...base, params: { ...base.params, count: ids.length }, ids: ids.slice(0, MAX_IDS) };
}
