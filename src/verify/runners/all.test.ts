// The registry of test runners.
import { expect, test } from 'vitest';
import { runnerNamed, RUNNER_NAMES } from './all.ts';

test('a command without a runner has no report', () => {
  expect(runnerNamed('command').reporting).toBeUndefined();
  expect(runnerNamed(null)).toBeNull();
});

test('a name that is not in the list is a bug, never a check without a report', () => {
  expect(() => runnerNamed('constructor')).toThrow('no test runner is called constructor');
});

test('no two runners have the same name', () => {
  expect(new Set(RUNNER_NAMES).size).toBe(RUNNER_NAMES.length);
});
