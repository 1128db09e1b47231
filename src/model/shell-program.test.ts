import { expect, test } from 'vitest';
import { isOfProject, programOf } from './shell-program.ts';

test.each([
  ['pytest -q', 'pytest'],
  ['  npm test -- rate-limit', 'npm'],
  ['CI=1 LANG=C pytest', 'pytest'],
  ['cd api && go test ./...', 'go'],
  ['cd api; CI=1 cargo test', 'cargo'],
  ['./check.sh --all', './check.sh'],
  ['g++ --version|head -1', 'g++'],
  ['test -f a.txt', null],
  ['[ -f a.txt ]', null],
  ['! grep x y', null],
  ['if true; then x; fi', null],
  ['"$RUN" test', null],
  ['$RUN test', null],
  ['(cd a && b)', null],
  ['A="x y" run', null],
  ['', null],
])('the program of %j is %j', (line, program) => {
  expect(programOf(line)).toBe(program);
});

test('a program in the project is its own, one that was installed there is not', () => {
  expect(['./check.sh', 'bin/run'].map(isOfProject)).toEqual([true, true]);
  expect(['pytest', '/usr/bin/env', './node_modules/.bin/jest', '.venv/bin/pytest'].map(isOfProject)).toEqual(
    Array.from({ length: 4 }, () => false),
  );
});
