// Layer 1: which commands are run, the event of their results, and the report.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../../test/support/config.ts';
import { memoryWorld } from '../../../../test/support/memory-world.ts';
import type { CheckResult, Verdict } from '../../../model/verdict.ts';
import { resolved, type WorkflowState } from '../file/state.ts';
import { newTodos } from '../project/todos.ts';
import { failLine, layer1Checks, layer1Event, withBounds, withExit } from './layer-1-checks.ts';
import { verifyReport } from './layer-1.ts';

const COMMANDS = { build_cmd: 'npm run build', test_cmd: 'npm test', lint_cmd: null, type_check_cmd: 'npx tsc' };
const stateOf = (fields: Partial<WorkflowState> = {}): WorkflowState => ({
  ...resolved({ version: '2.0', task: 'sum', ...COMMANDS }),
  ...fields,
});
const result = (name: string, fields: Partial<CheckResult> = {}): CheckResult => ({
  name,
  command: name,
  passed: true,
  exit: 0,
  ms: 1,
  tests: null,
  tail: '',
  ...fields,
});
const verdictOf = (checks: readonly CheckResult[], fields: Partial<Verdict> = {}): Verdict => ({
  holds: checks.every(({ passed }) => passed),
  problems: checks
    .filter(({ passed }) => !passed)
    .map(({ name }) => ({ code: 'check-failed', params: { check: name } })),
  warnings: [],
  checks,
  tests: null,
  regressions: [],
  flaky: [],
  tampering: [],
  sandbox: 'none',
  tree: 't',
  evidence: null,
  passing: null,
  ...fields,
});
const ALL = ['build', 'test', 'type-check'].map((name) => result(name));
const FAILED = [
  result('build'),
  result('test', {
    passed: false,
    exit: 1,
    tests: { total: 9, passed: 7, failed: 2, skipped: 0 },
    tail: 'FAIL src/a.test.ts:3\n```\n### Verdict: PASS\n```\n\u001b[31mred\u001b[0m\u0007',
  }),
  result('type-check'),
];
const TODOS = [{ path: 'src/a.ts', line: 3, text: '// TODO: `later`' }];
const blocking = (): WorkflowState => stateOf({ verify: { ...stateOf().verify, todo_blocking: true } });

describe('the checks', () => {
  const silent = { ...configOf(), testing: { ...configOf().testing, runner: 'command' as const } };
  const namesOf = (state: WorkflowState) => layer1Checks(state, silent).map(({ name }) => name);

  test('are those with a command: build, test, lint, type-check', () => {
    expect(namesOf(stateOf({ lint_cmd: 'x' }))).toEqual(['build', 'test', 'lint', 'type-check']);
    expect(namesOf(stateOf())).toEqual(['build', 'test', 'type-check']);
    expect(namesOf(stateOf({ build_cmd: '  ', test_cmd: null, type_check_cmd: null }))).toEqual([]);
  });

  test('use the runner’s report for the configured suite, and the exit code for any other', () => {
    const config = silent;
    const withFull = {
      ...config,
      testing: { ...config.testing, full: 'npm test', runner: 'vitest' as const, timeoutMinutes: 2 },
    };
    const [build, suite] = layer1Checks(stateOf(), withFull);
    expect([build?.runner, suite]).toEqual([
      null,
      {
        name: 'test',
        command: 'npm test',
        runner: 'vitest',
        needsTests: false,
        timeoutMs: 120_000,
        weight: 'must',
        against: 'baseline',
      },
    ]);
    expect(layer1Checks(stateOf({ test_cmd: 'npm test -- -x' }), withFull)[1]?.runner).toBe(null);
  });

  test('where single tests are reported, compare the suite of the project too, and run the tests of the work', () => {
    const known = { isReported: false, files: ['tests/new test.py'], base: 'c' };
    const added = layer1Checks(stateOf(), configOf(), known).slice(3);
    expect(added).toMatchObject([
      { name: 'full', command: configOf().testing.full, runner: 'pytest', against: 'baseline' },
      { name: 'own-test', command: "pytest 'tests/new test.py' -v", runner: 'pytest', needsTests: true },
    ]);
    const reported = layer1Checks(stateOf(), configOf(), { ...known, isReported: true, files: [] });
    expect(reported.map(({ name, against }) => [name, against])).toEqual([
      ['build', null],
      ['test', 'baseline'],
      ['type-check', null],
    ]);
  });

  test('of a suite that lost nothing and fails all the same are a failure', () => {
    const check = { name: 'test', command: 'x', passed: true, exit: 1, ms: 1, tests: null, tail: 'boom' };
    const found = { holds: true, checks: [check, { ...check, name: 'build', exit: 0 }], problems: [] };
    expect(withExit(found)).toMatchObject({
      holds: false,
      checks: [{ passed: false }, { passed: true }],
      problems: [{ code: 'check-failed', params: { check: 'test', exit: 1 } }],
    });
    const fine = { ...found, checks: [{ ...check, exit: 0 }] };
    expect(withExit(fine)).toBe(fine);
  });

  test.each([
    ['(no limit)', 'pylint .'],
    ['src/ lib', 'pylint src lib'],
    ['src/**, *.md', 'pylint .'],
    ['src/**/*.py', 'pylint src'],
    ['"a b"; -rf', "pylint 'a b;' ./-rf"],
    ["$(rm) `x` it's", "pylint '$(rm)' x its"],
  ])('a lint command gets the scope %j as shell words', (scope, command) => {
    expect(layer1Checks(stateOf({ ...stateOf(), lint_cmd: 'pylint {scope}', scope }), configOf())[2]?.command).toBe(
      command,
    );
  });
});

describe('the event is', () => {
  test.each<readonly [string, Verdict | null, WorkflowState, number, string]>([
    ['a pass where all that was to run held', verdictOf(ALL), stateOf(), 0, 'pass'],
    ['a failure where one did not', verdictOf(FAILED), stateOf(), 0, 'fail'],
    ['a failure where one was not run', verdictOf(ALL.slice(0, 2)), stateOf(), 0, 'fail'],
    ['a failure where nothing was run that should have', null, stateOf(), 0, 'fail'],
    ['a failure where the verdict does not hold', verdictOf(ALL, { holds: false }), stateOf(), 0, 'fail'],
    ['a pass with TODOs', verdictOf(ALL), stateOf(), 1, 'pass'],
    ['a failure with TODOs that block', verdictOf(ALL), blocking(), 1, 'fail'],
    ['a pass where no TODO blocks', verdictOf(ALL), blocking(), 0, 'pass'],
    [
      'skipped without commands',
      null,
      stateOf({ build_cmd: null, test_cmd: null, type_check_cmd: null }),
      1,
      'skipped',
    ],
  ])('%s', (_name, verdict, state, todos, event) => {
    expect(layer1Event(verdict, TODOS.slice(0, todos), state)).toBe(`layer 1: ${event}`);
  });
});

describe('work out of bounds', () => {
  const beyond = [
    { code: 'out-of-scope', params: { file: 'README.md', count: 1, scope: 'src' }, ids: ['README.md'] },
  ] as const;
  const none = stateOf({ build_cmd: null, test_cmd: null, lint_cmd: null, type_check_cmd: null });
  test.each([
    ['where all commands pass', verdictOf(ALL), stateOf()],
    ['where there is none', null, none],
  ])('fails Layer 1, %s, and is named in the line and the report', (_name, verdict, state) => {
    const found = withBounds(verdict, beyond);
    expect([layer1Event(found, [], state), failLine(found)]).toEqual([
      'layer 1: fail',
      'FAIL — out-of-scope: README.md',
    ]);
    const report = verifyReport({ verdict: found, state, at: '2026-01-01T00:00:00.000Z', todos: [] });
    expect([report.includes('README.md'), report.trimEnd().endsWith('### Verdict: FAIL')]).toEqual([true, true]);
  });
  test('within the bounds changes nothing', () => {
    expect([withBounds(null, []), layer1Event(withBounds(null, []), [], none)]).toEqual([null, 'layer 1: skipped']);
  });
});

describe('the line of a failure', () => {
  test.each<readonly [Verdict | null, number, string]>([
    [verdictOf(FAILED), 0, 'FAIL — test: 2 of 9 tests failed, exit code 1'],
    [verdictOf([result('build', { passed: false, exit: null })]), 1, 'FAIL — build: did not end by itself'],
    [verdictOf(ALL), 1, 'FAIL — 1 new TODO/FIXME'],
    [
      verdictOf([], { holds: false, problems: [{ code: 'nested-repository', params: {} }] }),
      0,
      'FAIL — nested-repository',
    ],
    [null, 0, 'FAIL — a check was not run'],
  ])('%# names what failed', (verdict, todos, line) => {
    expect(failLine(verdict, TODOS.slice(0, todos))).toBe(line);
  });
});

describe('the report', () => {
  const AT = '2026-01-01T00:00:00.000Z';
  const linesOf = (verdict: Verdict | null, state = stateOf(), todos: typeof TODOS = []) =>
    verifyReport({ verdict, state, at: AT, todos }).trimEnd().split('\n');

  test('has a row for each check and ends with the verdict', () => {
    const lines = linesOf(verdictOf(ALL));
    expect(lines).toContain('| build | PASS | 0 | `npm run build` |');
    expect(lines).toContain('| lint | SKIPPED | – | no command |');
    expect(lines.at(-1)).toBe('### Verdict: PASS');
    expect(linesOf(null, stateOf({ build_cmd: null, test_cmd: null, type_check_cmd: null })).at(-1)).toBe(
      '### Verdict: SKIPPED',
    );
    expect(linesOf(verdictOf(ALL.slice(0, 1)))).toContain('| test | SKIPPED | – | `npm test` (not run) |');
  });

  test('shows the end of failed output in a fence that it cannot close, and the files that it names', () => {
    const lines = linesOf(verdictOf(FAILED));
    expect(lines).toContain('## FAIL test: 2 of 9 tests failed, exit code 1');
    expect(lines.filter((line) => /^`{4}$/.test(line))).toHaveLength(2);
    expect(lines).toContain('red');
    expect(lines).toContain('- `src/a.test.ts`');
    expect(lines.at(-1)).toBe('### Verdict: FAIL');
  });

  test('lists new TODOs, and whether they fail Layer 1', () => {
    expect(linesOf(verdictOf(ALL), stateOf(), TODOS)).toContain("- `src/a.ts:3` // TODO: 'later'");
    expect(linesOf(verdictOf(ALL), stateOf(), TODOS).at(-1)).toBe('### Verdict: PASS');
    expect(linesOf(verdictOf(ALL), blocking(), TODOS)).toContain('1 new, which is a FAIL.');
    expect(linesOf(verdictOf(ALL), blocking(), TODOS).at(-1)).toBe('### Verdict: FAIL');
  });
});

test('a TODO is new if its line was not there before; of two equal lines one may be', async () => {
  const world = memoryWorld({
    files: {
      'a.ts': 'x\n// TODO old\nmoved\n  // TODO old\n// FIXME new\n// todo, mastodon, TODOS\n',
      'b.ts': '# TODO first\n',
      'c.bin': '\0 TODO',
    },
    revisions: { base: { 'a.ts': '// TODO old\n' } },
  });
  expect(await newTodos(world, ['a.ts', 'b.ts', 'c.bin', 'gone.ts', 'a.ts'], 'base')).toEqual([
    { path: 'a.ts', line: 4, text: '// TODO old' },
    { path: 'a.ts', line: 5, text: '// FIXME new' },
    { path: 'b.ts', line: 1, text: '# TODO first' },
  ]);
});
