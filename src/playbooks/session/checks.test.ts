// The command of an item's own test.
import { expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { featureCommand } from './checks.ts';

test.each([
  ['tests/a.py', 'pytest tests/a.py'],
  ['tests/a b.py', "pytest 'tests/a b.py'"],
  ['tests/$&.py', "pytest 'tests/$&.py'"],
  ["tests/it's.py", "pytest 'tests/it'\\''s.py'"],
])('the test file %s is one word of the command', (testFile, command) => {
  const { testing } = configOf();
  expect(featureCommand(configOf({ testing: { ...testing, feature: 'pytest {test_file}' } }), testFile)).toBe(command);
});
