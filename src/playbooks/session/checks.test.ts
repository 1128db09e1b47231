// The command of an item's own test, and what lint decides.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { facts } from '../../../test/support/outcomes.ts';
import type { ItemFacts } from './facts.ts';
import { featureCommand, lintCheck, sessionChecks } from './checks.ts';

test.each([
  ['tests/a.py', 'pytest tests/a.py'],
  ['tests/a b.py', "pytest 'tests/a b.py'"],
  ['tests/$&.py', "pytest 'tests/$&.py'"],
  ["tests/it's.py", "pytest 'tests/it'\\''s.py'"],
])('the test file %s is one word of the command', (testFile, command) => {
  const { testing } = configOf();
  expect(featureCommand(configOf({ testing: { ...testing, feature: 'pytest {test_file}' } }), testFile)).toBe(command);
});

describe('quality.warn_on_lint_errors', () => {
  const lintOf = (warnOnLintErrors: boolean, more: Partial<ItemFacts> = {}, lintCommand: string | null = null) =>
    sessionChecks(facts(more), configOf({ quality: { warnOnLintErrors, lintCommand } }), 'before').flatMap(
      ({ name, command, weight, since }) => (name === 'lint' ? [[command, weight, since]] : []),
    );

  test('true: lint warns', () => {
    expect(lintOf(true)).toEqual([['ruff check', 'warn', undefined]]);
  });

  test('false: lint decides by what was not there before the work', () => {
    expect(lintOf(false)).toEqual([['ruff check', 'must', 'before']]);
  });

  test('a session whose first task is lint fixes all of it', () => {
    expect(lintOf(false, { isUnsound: true })).toEqual([['ruff check', 'must', undefined]]);
    expect(lintOf(false, { isUnsound: true }, 'ruff check --all')).toEqual([
      ['ruff check --all', 'must', 'before'],
      ['ruff check', 'must', undefined],
    ]);
  });

  test('where there is nothing before the work, as in the final check, lint warns', () => {
    expect(lintCheck(configOf({ quality: { warnOnLintErrors: false } }))).toMatchObject([{ weight: 'warn' }]);
  });
});
