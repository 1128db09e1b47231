// The checks of Layer 1 (build, test, lint, type-check) and the event of their results. Pure.
import type { CheckSpec } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import { shellWord } from '../../../model/shell-quote.ts';
import type { CheckResult, Problem, Verdict } from '../../../model/verdict.ts';
import { checkOf, reportsTests } from '../../session/checks.ts';
import { scopePaths } from '../paths/scope.ts';
import type { EventName } from '../table/stages.ts';
import type { WorkflowState } from '../file/state.ts';
import type { Todo } from '../project/todos.ts';

export const LAYER_1 = ['build', 'test', 'lint', 'type-check'] as const;
export type Layer1Name = (typeof LAYER_1)[number];
export type Layer1Commands = Pick<WorkflowState, 'build_cmd' | 'test_cmd' | 'lint_cmd' | 'type_check_cmd' | 'scope'>;

/** null: there is none; the check is skipped. */
export function commandsOf(state: Layer1Commands): { readonly [N in Layer1Name]: string | null } {
  const given = (command: string | null): string | null => command?.trim() || null;
  const lint = state.lint_cmd?.replaceAll('{scope}', () => pathWords(state.scope)) ?? null;
  return {
    build: given(state.build_cmd),
    test: given(state.test_cmd),
    lint: given(lint),
    'type-check': given(state.type_check_cmd),
  };
}

/** A linter takes files and folders: for a pattern, the folder that it is in. */
function pathWords(scope: string): string {
  const paths = scopePaths(scope).map((entry) => {
    const names = entry.split('/');
    const wild = names.findIndex((name) => /[*?[{]/.test(name));
    const path = (wild < 0 ? names : names.slice(0, wild)).join('/') || '.';
    return path.startsWith('-') ? `./${path}` : path;
  });
  return (paths.includes('.') ? ['.'] : [...new Set(paths)]).map(shellWord).join(' ');
}

/**
 * `isReported`: the test command calls the runner of the project. `files`: tests that the work adds or changes. `base`: the last commit; null:
 * there is none.
 */
export type LayerTests = {
  readonly isReported: boolean;
  readonly files: readonly string[];
  readonly base: string | null;
};
const NO_TESTS: LayerTests = { isReported: false, files: [], base: null };

/**
 * To be run with `goesOn`: a retry is given all failures at once. Where the runner reports single tests, each that passed before must pass,
 * and tests of the work must be executed.
 */
export function layer1Checks(
  state: Layer1Commands,
  config: Config,
  { isReported, files }: LayerTests = NO_TESTS,
): readonly CheckSpec[] {
  const commands = commandsOf(state);
  const timeoutMs = Math.round(config.testing.timeoutMinutes * 60_000);
  const isFull = commands.test !== null && commands.test === config.testing.full?.trim();
  const { runner, feature, full } = config.testing;
  const canReport = reportsTests(config);
  const isOfRunner = commands.test !== null && (isFull || (canReport && isReported));
  const byId = { runner, against: canReport && config.verification.regressionCheck ? 'baseline' : null } as const;
  const checks = LAYER_1.flatMap((name): readonly CheckSpec[] => {
    const command = commands[name];
    const more = name === 'test' && isOfRunner ? byId : {};
    return command === null ? [] : [checkOf(name, command, 'must', timeoutMs, more)];
  });
  if (!canReport || full === null || feature === null) return checks;
  const own = feature.replaceAll('{test_file}', () => files.map(shellWord).join(' '));
  return [
    ...checks,
    ...(isOfRunner ? [] : [checkOf('full', full, 'must', timeoutMs, byId)]),
    ...(files.length === 0 ? [] : [checkOf('own-test', own, 'must', timeoutMs, { runner, needsTests: true })]),
  ];
}

/** New tests count too: a suite that passes by its baseline and fails by its exit code fails. */
export function withExit<V extends Pick<Verdict, 'holds' | 'checks' | 'problems'>>(verdict: V): V {
  const red = verdict.checks.filter(({ name, passed, exit }) => name === 'test' && passed && exit !== 0);
  if (red.length === 0) return verdict;
  const problems = red.map(({ name, exit, tail }): Problem => ({
    code: 'check-failed',
    params: { check: name, exit: exit ?? 'none', tail },
  }));
  const checks = verdict.checks.map((check) => (red.includes(check) ? { ...check, passed: false } : check));
  return { ...verdict, holds: false, checks, problems: [...verdict.problems, ...problems] };
}

/** The suite with the tests that passed before: `test`, or `full` where the test command of the workflow is another. */
export const suiteOf = (checks: readonly CheckSpec[]): CheckSpec | null =>
  checks.find(({ against }) => against === 'baseline') ?? checks.find(({ name }) => name === 'test') ?? null;

/** Checks that the harness adds where single tests are reported. */
const ADDED = ['full', 'own-test'] as const;

export type CheckRow = {
  readonly name: Layer1Name | (typeof ADDED)[number];
  readonly command: string | null;
  readonly result: 'PASS' | 'FAIL' | 'SKIPPED';
  /** null: it was not run. */
  readonly check: CheckResult | null;
};

/** null: there was nothing to run, and no other problem. */
export type Layer1Findings = Pick<Verdict, 'holds' | 'checks' | 'problems'> | null;

/** Changes outside of the bounds fail Layer 1: otherwise what a generator was refused would pass in the next run. */
export const withBounds = (verdict: Layer1Findings, beyond: readonly Problem[]): Layer1Findings =>
  beyond.length === 0
    ? verdict
    : { holds: false, checks: verdict?.checks ?? [], problems: [...(verdict?.problems ?? []), ...beyond] };

export function checkRows(verdict: Layer1Findings, state: Layer1Commands): readonly CheckRow[] {
  const commands = commandsOf(state);
  const rows = LAYER_1.map((name): CheckRow => {
    const check = verdict?.checks.find((one) => one.name === name) ?? null;
    const result = check === null ? 'SKIPPED' : check.passed ? 'PASS' : 'FAIL';
    return { name, command: commands[name], result, check };
  });
  const added = ADDED.flatMap((name): readonly CheckRow[] => {
    const check = verdict?.checks.find((one) => one.name === name);
    return check === undefined ? [] : [{ name, command: check.command, result: check.passed ? 'PASS' : 'FAIL', check }];
  });
  return [...rows, ...added];
}

type Layer1Event = Extract<EventName, `layer 1: ${string}`>;

/** A command that should have run and did not is a failure. */
export function layer1Event(
  verdict: Layer1Findings,
  todos: readonly Todo[],
  state: Layer1Commands & { readonly verify: Pick<WorkflowState['verify'], 'todo_blocking'> },
): Layer1Event {
  const rows = checkRows(verdict, state);
  const isFailed = verdict?.holds === false || rows.some(({ result }) => result === 'FAIL');
  if (isFailed || (state.verify.todo_blocking && todos.length > 0)) return 'layer 1: fail';
  const wanted = rows.filter(({ command }) => command !== null);
  if (wanted.length === 0) return 'layer 1: skipped';
  return wanted.every(({ result }) => result === 'PASS') ? 'layer 1: pass' : 'layer 1: fail';
}

const MAX_LINE = 300;

/** What failed, by name and number: where the verifier has no line for it. */
export function failLine(verdict: Layer1Findings, todos: readonly Todo[] = []): string {
  const failed = (verdict?.checks ?? []).filter(({ passed }) => !passed).map(failureText);
  const parts = [...failed, ...new Set(otherProblems(verdict).map(problemText))];
  if (parts.length === 0 && todos.length > 0) parts.push(`${todos.length} new TODO/FIXME`);
  const line = `FAIL — ${parts.join('; ') || 'a check was not run'}`;
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}

const problemText = ({ code, params: { file } }: Problem): string =>
  typeof file === 'string' ? `${code}: ${file}` : code;

/** Problems that are not those of a failed command. */
export function otherProblems(verdict: Layer1Findings): readonly Problem[] {
  const failed = (verdict?.checks ?? []).filter(({ passed }) => !passed).map(({ name }) => name);
  return (verdict?.problems ?? []).filter(({ params }) => !failed.includes(String(params['check'])));
}

export function failureText({ name, exit, tests }: CheckResult): string {
  const ended = exit === null ? 'did not end by itself' : `exit code ${exit}`;
  const counted = tests !== null && tests.failed > 0 ? `${tests.failed} of ${tests.total} tests failed, ` : '';
  return `${name}: ${counted}${ended}`;
}
