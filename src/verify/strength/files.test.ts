// Which side a changed file is on, what of it rules tests, and which changes explain themselves.
import { describe, expect, test } from 'vitest';
import type { TestStatus } from '../../model/report.ts';
import { besides, canaryResult } from './canary.ts';
import { kindOf, ruledBy, rulesDiffer } from './files.ts';
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
