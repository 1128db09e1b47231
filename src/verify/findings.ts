// Judges one run of one check: exit code against report, report against baseline. Pure.
import type { CheckSpec } from '../model/action.ts';
import type { Params } from '../model/failure.ts';
import { countTests, type TestBaseline, type TestCase, type TestId, type TestReport } from '../model/report.ts';
import type { Problem, ProblemCode } from '../model/verdict.ts';
import type { Exit } from '../host/process.ts';
import { compareWithBaseline } from './baseline.ts';
import { UNLOADED } from './runners/cases.ts';

/** The report of a run. `none`: this runner has no report, only the exit code counts. */
export type ReportRead =
  | { readonly kind: 'none' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'read'; readonly report: TestReport };

export type Findings = {
  readonly problems: readonly Problem[];
  /** Worth reporting, without effect on the verdict. */
  readonly remarks: readonly Problem[];
  /** Baseline ids that no longer pass, for any reason. */
  readonly regressions: readonly TestId[];
};

/** Maximum number of ids in a problem; the count is in `params.count`, the whole list in the evidence. */
const MAX_IDS = 50;
/** Exit code of a shell for a missing program. */
const NOT_FOUND = 127;
/** The highest exit code that is no signal: shells exit with 128 plus the signal's number. */
const MOST_CODE = 127;

/** Limits of the test output that is included in a problem, so that it can be fixed without looking it up. */
const EXCERPT_CHARACTERS = 1_500;
const EXCERPT_LINES = 25;
const TITLE_CHARACTERS = 200;

/** `tail`: the end of the command's output, masked. */
export function judge(
  spec: CheckSpec,
  exit: Exit,
  read: ReportRead,
  baseline: TestBaseline | null,
  tail = '',
): Findings {
  const end = tailParam(tail);
  const stopped = judgeExit(spec, exit, end);
  if (stopped !== null) return { problems: [stopped], remarks: [], regressions: [] };
  if (read.kind === 'none') return judgeExitOnly(spec, { ...exitParams(exit), ...end }, exit.code === 0, baseline);
  if (read.kind === 'missing') return only(problem(spec, 'report-missing', { ...exitParams(exit), ...end }));
  if (read.kind === 'unreadable') return only(problem(spec, 'report-unreadable', { why: read.why, ...end }));
  return spec.against === 'baseline'
    ? judgeAgainstBaseline(spec, exit, read.report, baseline, end)
    : judgeReport(spec, exit, read.report, end);
}

/** Problems of a run that no report can outweigh. */
function judgeExit(spec: CheckSpec, exit: Exit, end: Params): Problem | null {
  switch (exit.ended) {
    case 'wall':
    case 'idle':
      return problem(spec, 'check-timed-out', {
        seconds: Math.round(exit.ms / 1000),
        limit: spec.timeoutMs / 1000,
        ...end,
      });
    case 'flood':
      return problem(spec, 'check-output-flood', { bytes: exit.bytes, ...end });
    case 'missing':
      return problem(spec, 'command-missing');
    case 'aborted':
      return problem(spec, 'check-failed', { exit: 'aborted' });
    case null:
      break;
  }
  return exit.code === NOT_FOUND ? problem(spec, 'command-missing', end) : null;
}

function judgeExitOnly(spec: CheckSpec, how: Params, isGreen: boolean, baseline: TestBaseline | null): Findings {
  if (isGreen) return only();
  if (spec.against === null) return only(problem(spec, 'check-failed', how));
  const wasGreen = baseline !== null && suiteOf(baseline) === 'green';
  if (wasGreen) return only(problem(spec, 'suite-newly-failing', how));
  return { ...only(), remarks: [problem(spec, 'check-failed', how)] };
}

/** A baseline from a runner with a report was green if every test passed. */
const suiteOf = (b: TestBaseline): 'green' | 'red' =>
  b.suite ?? (b.total_tests > 0 && b.total_passing === b.total_tests ? 'green' : 'red');

function judgeReport(spec: CheckSpec, exit: Exit, report: TestReport, end: Params): Findings {
  const problems = [...judgeExecuted(spec, report, end), ...judgeDefects(spec, report.defects)];
  const failing = report.cases.filter((c) => c.status === 'failed');
  if (failing.length > 0) problems.push(problem(spec, 'tests-failed', messagesOf(failing), failing.map(idOf)));
  if (failing.length > 0 && exit.code === 0)
    problems.push(problem(spec, 'exit-contradicts-report', { exit: 0, failed: failing.length }));
  if (exit.code !== 0 && problems.length === 0) {
    // A failing exit that no case explains: hidden failures, a plugin, a threshold. Without cases it simply failed.
    const code = report.cases.length > 0 ? 'exit-contradicts-report' : 'check-failed';
    problems.push(problem(spec, code, { ...exitParams(exit), failed: 0, ...end }));
  }
  return { problems, remarks: [], regressions: [] };
}

/**
 * New failures and defects do not decide: pending stubs keep a suite red. Every baseline id does, and so does an exit that the
 * report does not explain, such as a runner that was killed behind a forged report.
 */
function judgeAgainstBaseline(
  spec: CheckSpec,
  exit: Exit,
  report: TestReport,
  baseline: TestBaseline | null,
  end: Params,
): Findings {
  const { failed, missing, skipped } = compareWithBaseline(baseline?.passing_tests ?? [], report.cases);
  const problems = [...judgeExecuted(spec, report, end)];
  const broken = new Set(failed);
  if (failed.length > 0)
    problems.push(problem(spec, 'regression', messagesOf(report.cases.filter((c) => broken.has(c.id))), failed));
  // Tests are mostly missing because their file no longer loads: its error explains why.
  if (missing.length > 0) problems.push(problem(spec, 'tests-missing', messagesOf(unloadedOf(report)), missing));
  if (skipped.length > 0) problems.push(problem(spec, 'tests-newly-skipped', {}, skipped));
  const regressions = [...failed, ...missing, ...skipped].sort();
  const isTold = report.defects.length > 0 || report.cases.some((c) => c.status === 'failed');
  if (exit.code !== 0 && !isTold && problems.length === 0 && !endedSo(exit, baseline))
    problems.push(problem(spec, 'exit-contradicts-report', { ...exitParams(exit), failed: 0, ...end }));
  return { problems, remarks: judgeDefects(spec, report.defects, messagesOf(unloadedOf(report))), regressions };
}

/** All tests pass and the suite is red, as it was before: coverage below its threshold, for example. A signal is never that. */
const endedSo = (exit: Exit, baseline: TestBaseline | null): boolean =>
  exit.signal === null &&
  (exit.code ?? 0) <= MOST_CODE &&
  (baseline === null || (baseline.suite === 'red' && baseline.total_passing === baseline.total_tests));

function judgeExecuted(spec: CheckSpec, report: TestReport, end: Params): Problem[] {
  const tests = report.cases.filter((c) => c.name !== UNLOADED); // a file that did not load executed nothing
  const { total, passed, failed } = countTests(tests);
  if (!spec.needsTests || passed + failed > 0) return [];
  return [total === 0 ? problem(spec, 'no-tests-executed', end) : problem(spec, 'all-tests-skipped', { count: total })];
}

const judgeDefects = (spec: CheckSpec, defects: readonly string[], more: Params = {}): Problem[] =>
  defects.length === 0 ? [] : [problem(spec, 'report-incomplete', more, defects)];

const idOf = (c: TestCase): TestId => c.id;
const unloadedOf = (report: TestReport): readonly TestCase[] => report.cases.filter((c) => c.name === UNLOADED);

/** The messages of failing tests, a line each, whole lines only. */
function messagesOf(cases: readonly TestCase[]): Params {
  const lines: string[] = [];
  let left = EXCERPT_CHARACTERS;
  for (const { file, suite, name, message } of cases) {
    if (message === '') continue;
    const title = [file, ...suite, name].filter((word) => word !== '').join(' > ');
    const line = `${title.slice(-TITLE_CHARACTERS)}: ${message}`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return tailParam(lines.join('\n'));
}

/** The end of a text in whole lines, if not empty. */
function tailParam(text: string): Params {
  if (text.trim() === '') return {};
  const end = text.slice(-EXCERPT_CHARACTERS);
  const whole = text.length > EXCERPT_CHARACTERS && end.includes('\n') ? end.slice(end.indexOf('\n') + 1) : end;
  return { tail: whole.split('\n').slice(-EXCERPT_LINES).join('\n') };
}

const only = (...problems: readonly Problem[]): Findings => ({ problems, remarks: [], regressions: [] });

const exitParams = (exit: Exit): Params => ({ exit: exit.code ?? exit.signal ?? 'unknown' });

/** What is left of the problems of a check that failed before the work too: `added` are the lines of findings that the work brought. */
export function addedTo(
  before: Findings,
  { problems, remarks, regressions }: Findings,
  added: readonly string[],
): Findings {
  const [problem] = problems;
  const old = before.problems.map(({ code }) => code);
  if (problem?.code === 'check-failed' && added.length > 0) {
    const { exit: _exit, tail: _tail, ...about } = problem.params;
    const params = { ...about, count: added.length, ...firstLines(added) };
    return { problems: [{ code: 'lint-errors-added', params }], remarks, regressions };
  }
  // A program that is missing or hangs was so before.
  const isOld = problem !== undefined && old.includes(problem.code);
  return isOld ? { problems: [], remarks: [...remarks, ...problems], regressions } : { problems, remarks, regressions };
}

/** The first of these lines, as many as a problem has room for. */
function firstLines(lines: readonly string[]): Params {
  const text = lines.slice(0, EXCERPT_LINES).join('\n');
  return { tail: text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text };
}

/** A problem that names tests. */
export const idsProblem = (spec: CheckSpec, code: ProblemCode, ids: readonly TestId[], params: Params = {}): Problem =>
  problem(spec, code, params, ids);

function problem(spec: CheckSpec, code: ProblemCode, params: Params = {}, ids?: readonly string[]): Problem {
  const base = { code, params: { check: spec.name, command: spec.command, ...params } };
  if (ids === undefined) return base;
  return { ...base, params: { ...base.params, count: ids.length }, ids: ids.slice(0, MAX_IDS) };
}
