import { expect, test } from 'vitest';
import { keepable } from './words.ts';

test.each([
  ['status', null],
  ['status --json -q --color never', null],
  ['-C ../shop status', '../shop'],
  ['items ls --repo x', 'x'],
  ['gates --all --json', null],
  ['version', null],
  ['--version', null],
  ['-C x -V --json', 'x'],
])('the answer to `%s` may be kept', (line, repo) => {
  expect(keepable(line.split(' '))).toEqual({ repo });
});

test.each([
  '',
  'run',
  'status now',
  'status --all',
  'status --help',
  'status -C',
  'items show 1',
  'items 1',
  'items ls ls',
  'gates g-1',
  'help status',
  '--json',
])('the answer to `%s` is not', (line) => {
  expect(keepable(line === '' ? [] : line.split(' '))).toBe(null);
});
