// Running some tests again: which command runs them, for each runner, and when all of it must be run.
import { describe, expect, test } from 'vitest';
import { select } from './select.ts';

const chosen = (runner: string, command: string, ofFile: string | null, ...ids: string[]) => {
  const { by, commands } = select(runner, command, ofFile, ids);
  return `${by}: ${commands.join(' ;; ')}`;
};

describe('single tests', () => {
  test.each([
    [
      'pytest',
      'pytest',
      'pytest {test_file} -v',
      ['pytest|t/a.py|TestC|test_m[x y]'],
      "ids: pytest 't/a.py::TestC::test_m[x y]' -v",
    ],
    [
      'pytest',
      'pytest',
      'pytest {test_file}',
      ['pytest|a.py||test_a', 'pytest|b.py||test_b'],
      'ids: pytest a.py::test_a b.py::test_b',
    ],
    [
      'go',
      'go test -race ./...',
      null,
      ['go|p||TestA', 'go|q|TestB > x|y'],
      "ids: go test -run '^(TestA|TestB)$' -race ./...",
    ],
    [
      'cargo',
      'cargo test',
      null,
      ['cargo|src/lib.rs|demo > tests|adds', 'cargo|tests/it.rs|it|adds#2'],
      'ids: cargo test -- --exact tests::adds adds',
    ],
  ] as const)('%s: %s', (runner, command, ofFile, ids, expected) => {
    expect(chosen(runner, command, ofFile, ...ids)).toBe(expected);
  });
});

describe('their files', () => {
  test.each(['node', 'vitest', 'jest', 'mocha', 'junit'] as const)('%s', (runner) => {
    const ids = [`${runner}|a.js||x`, `${runner}|a.js|s|y`, `${runner}|b c.js||z`];
    expect(chosen(runner, 'npm test', 'npx run {test_file}', ...ids)).toBe("files: npx run a.js ;; npx run 'b c.js'");
  });
});

describe('the whole command, where', () => {
  const many = Array.from({ length: 21 }, (_, n) => `node|${n}.js||x`);
  test.each([
    ['no command tests one file', 'node', 'npm test', null, ['node|a.js||x']],
    ['a test has no file', 'tap', 'sh run.sh', 'sh run.sh {test_file}', ['tap|||x']],
    ['there are many files', 'node', 'npm test', 'node --test {test_file}', many],
    ['go gets a selection already', 'go', 'go test -run X ./...', 'go test {test_file}', ['go|p||TestA']],
    ['go is behind make', 'go', 'make test', 'go test {test_file}', ['go|p||TestA']],
    ['a doc test is named by its line', 'cargo', 'cargo test', null, ['cargo|src/lib.rs|demo doc|add']],
    ['cargo passes arguments on already', 'cargo', 'cargo test -- --nocapture', null, ['cargo|src/lib.rs|demo|a']],
  ] as const)('%s', (_why, runner, command, ofFile, ids) => {
    expect(chosen(runner, command, ofFile, ...ids)).toBe(`command: ${command}`);
  });
});
