// Which side a changed file is on, what of it rules tests, and which changes explain themselves.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { TestStatus } from '../../model/report.ts';
import { besides, canaryResult, exitLines, failingLines, MADE_EXIT, mayEndEarly } from './canary.ts';
import { kindOf, ruledBy, rulesDiffer, scriptsNamedIn } from './files.ts';
import { isExplained } from './guarded.ts';

const known = { tests: new Set(['checks/login.rb']), scripts: new Set(['init.sh']) };

test.each([
  ['src/cart.ts', 'source'],
  ['lib/testing.py', 'source'],
  ['src/contest.js', 'source'],
  ['tests/cart.test.mjs', 'test'],
  ['src/cart.spec.ts', 'test'],
  ['test_cart.py', 'test'],
  ['app/cart_test.go', 'test'],
  ['test/list.js', 'test'],
  ['checks/login.rb', 'test'],
  ['tests/support/filled.mjs', 'support'],
  ['tests/data/prices.json', 'support'],
  ['src/__snapshots__/a.snap', 'support'],
  ['conftest.py', 'runner'],
  ['tests/conftest.py', 'runner'],
  ['pytest.ini', 'runner'],
  ['vitest.config.ts', 'runner'],
  ['.mocharc.json', 'runner'],
  ['.npmrc', 'runner'],
  ['package-lock.json', 'guarded'],
  ['.gitattributes', 'guarded'],
  ['init.sh', 'guarded'],
  ['.github/workflows/ci.yml', 'guarded'],
  ['README.md', 'docs'],
  ['docs/use.md', 'docs'],
] as const)('%s is %s', (path, kind) => {
  expect(kindOf(path, known)).toBe(kind);
});

describe('a package.json', () => {
  const before = JSON.stringify({ scripts: { test: 'node --test', start: 'node a' }, dependencies: { a: '1' } });
  const with_ = (more: object) => {
    const old: object = JSON.parse(before);
    return JSON.stringify({ ...old, ...more });
  };

  test.each([
    ['a dependency', { dependencies: { a: '1', b: '2' } }, false],
    ['a script that starts', { scripts: { test: 'node --test', start: 'node b' } }, false],
    ['the test script', { scripts: { test: 'true', start: 'node a' } }, true],
    ['a script before the tests', { scripts: { pretest: 'x', test: 'node --test', start: 'node a' } }, true],
    ['the configuration of jest', { jest: { testMatch: [] } }, true],
  ])('with %s changed rules tests differently: %s', (_what, more, differs) => {
    expect(rulesDiffer('package.json', before, with_(more))).toBe(differs);
  });

  test('is ruled by another: its dependencies, the other’s scripts', () => {
    const mixed = ruledBy('package.json', with_({ scripts: { test: 'true' }, dependencies: { b: '2' } }), before);
    expect(JSON.parse(mixed ?? '')).toEqual({
      dependencies: { b: '2' },
      scripts: { test: 'node --test', start: 'node a' },
    });
  });
});

test('the sections that rule pytest are taken from the other text, the rest stays', () => {
  const before = '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n';
  const after = '[project]\nname = "b"\n\n[tool.pytest.ini_options]\naddopts = "--deselect x"\n';
  expect(rulesDiffer('pyproject.toml', before, after)).toBe(true);
  expect(rulesDiffer('pyproject.toml', before, before.replace('"a"', '"c"'))).toBe(false);
  const mixed = ruledBy('pyproject.toml', after, before) ?? '';
  expect(mixed).toContain('name = "b"');
  expect(mixed).toContain('"-q"');
  expect(mixed).not.toContain('deselect');
});

describe('a lock file', () => {
  const lock = (more: object = {}, tea: object = {}) =>
    JSON.stringify({ packages: { '': {}, 'node_modules/tea': { version: '1.0.0', integrity: 'x', ...tea }, ...more } });
  const manifest = {
    path: 'package.json',
    before: '{"dependencies":{"tea":"1"}}',
    after: '{"dependencies":{"tea":"1","cup":"2"}}',
  };
  const one = (after: string) => ({ path: 'package-lock.json', before: lock(), after });

  test('that grows with its manifest is explained', () => {
    const changed = one(lock({ 'node_modules/cup': { version: '2.0.0' } }));
    expect(isExplained(changed, [changed, manifest])).toBe(true);
  });
  test('that changes alone is not', () => {
    const changed = one(lock({ 'node_modules/cup': { version: '2.0.0' } }));
    expect(isExplained(changed, [changed])).toBe(false);
  });
  test('that swaps the content of a version is not, whatever the manifest says', () => {
    const changed = one(lock({}, { integrity: 'other' }));
    expect(isExplained(changed, [changed, manifest])).toBe(false);
  });
  test('that puts a folder in the place of a package is not', () => {
    const swapped = { packages: { '': {}, 'node_modules/tea': { resolved: 'vendor/tea', link: true } } };
    const changed = one(JSON.stringify(swapped));
    expect(isExplained(changed, [changed, manifest])).toBe(false);
  });
});

test.each([
  ['tests/cart.test.mjs', 'tests/cx.test.mjs'],
  ['tests/test_cart.py', 'tests/test_cx.py'],
  ['app/cart_test.py', 'app/cx_test.py'],
  ['test/list.js', 'test/cx.js'],
])('a canary beside %s is %s', (file, beside) => {
  expect(besides(file, 'cx')).toBe(beside);
});

describe('canaries that came back', () => {
  const report = (fails: TestStatus, differs: TestStatus, passes: TestStatus) => ({
    defects: [],
    cases: Object.entries({ fails, differs, passes }).map(([what, status]) => ({
      id: what,
      runner: 'node',
      file: 'a',
      suite: [],
      name: `cx ${what}`,
      status,
      ms: 0,
      message: '',
    })),
  });
  test.each([
    ['failed', 'failed', 'passed', 'true'],
    ['passed', 'passed', 'passed', 'lies'],
    ['failed', 'passed', 'passed', 'lies'],
    ['failed', 'failed', 'failed', 'lies'],
    ['skipped', 'skipped', 'skipped', 'silent'],
  ] as const)('%s, %s, %s say: %s', (fails, differs, passes, says) => {
    expect(canaryResult(report(fails, differs, passes), 'cx')).toBe(says);
  });
  test('not at all say nothing', () => {
    expect(canaryResult(null, 'cx')).toBe('silent');
    expect(canaryResult({ cases: [], defects: [] }, 'cx')).toBe('silent');
  });
});

describe('what a command runs decides what passes', () => {
  const scripted = (total: string): string => JSON.stringify({ scripts: { test: 'x', total } });
  test('by a script of package.json, whatever its name', () => {
    const differ = (...commands: readonly string[]): boolean =>
      rulesDiffer('package.json', scripted('node a.mjs'), scripted('exit 0'), commands);
    expect([differ(), differ('npm test'), differ('npm run -s total'), differ('make && pnpm total')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
  test('by a shell script, or a program that checks by its name', () => {
    const named = scriptsNamedIn(['sh ./run.sh a.test', 'node tools/verify-all.mjs', 'node src/cli.mjs README.md']);
    expect([...named]).toEqual(['run.sh', 'tools/verify-all.mjs']);
    const known = { tests: new Set<string>(), scripts: new Set<string>() };
    expect([kindOf('run.sh', known), kindOf('run.sh', { ...known, rules: named })]).toEqual(['source', 'runner']);
  });
});

describe('a runner without a canary', () => {
  const node = (text: string): number | null =>
    spawnSync(process.execPath, ['--input-type=module', '-e', text], { stdio: 'ignore' }).status;
  const lines = failingLines('a.mjs', 'cx') ?? '';
  const exit = exitLines('a.mjs') ?? '';
  test('shows by a failure at the end of a file that failures arrive, and by an exit code that it does', () => {
    expect([node(''), node(lines), node(exit)]).toEqual([0, 1, MADE_EXIT]);
    expect([node(`process.exit(0);${lines}`), node(`process.exit(0);${exit}`)]).toEqual([0, 0]);
    expect(node(`process.on('uncaughtException', () => {});${lines}`)).toBe(0);
    expect(node(`process.on('exit', () => process.reallyExit(0));${exit}`)).toBe(0);
  });
  test('has such lines for JavaScript and Python only', () => {
    expect([failingLines('a.py', 'cx'), exitLines('a.py'), failingLines('a.go', 'cx')]).toEqual([
      "\n\nassert 1 == 2, 'cx'\n",
      null,
      null,
    ]);
  });
  test('is doubted, not refused, where a test file may end its own run', () => {
    expect([
      mayEndEarly('unittest.main()'),
      mayEndEarly('process.exit(bad)'),
      mayEndEarly('assert.equal(1, 1)'),
    ]).toEqual([true, true, false]);
  });
});
