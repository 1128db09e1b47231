// The tests that belong to an item with a command of its own, and the checks that follow from them.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { memoryWorld } from '../../../test/support/memory-world.ts';
import { contextOf } from '../../../test/support/read-context.ts';
import { featureChecks } from './checks.ts';
import { namedIn, ownTests, testCommand } from './own-tests.ts';

const files = {
  'tests/a.test.mjs': '',
  'tests/b.test.mjs': '',
  'tests/test_c.py': '',
  'src/a.mjs': '',
  'check.sh': '',
};
const scripts = { 'package.json': JSON.stringify({ scripts: { one: 'node --test tests/b.test.mjs', odd: 3 } }) };
const world = (changed: readonly string[] = []) =>
  memoryWorld({ files, revisions: { base: scripts }, changed: { base: changed } });
const found = async (command: string, changed: readonly string[] = []) =>
  (await ownTests.read(contextOf(world(changed)), { command, since: 'base' })).files;

describe('the test files of a command', () => {
  test.each([
    ['node tests/a.test.mjs', ['tests/a.test.mjs']],
    ['FOO=1 node "./tests/a.test.mjs" && echo done', ['tests/a.test.mjs']],
    ['pytest tests/test_c.py::test_one', ['tests/test_c.py']],
    ['python -m unittest tests.test_c', ['tests/test_c.py']],
    ['npm run -s one', ['tests/b.test.mjs']],
  ])('of %j are %j', async (command, expected) => {
    expect(await found(command, ['tests/a.test.mjs', 'tests/b.test.mjs'])).toEqual(expected);
  });

  test.each([
    'npm run odd',
    'sh check.sh',
    'grep -q x src/a.mjs',
    'node tests/gone.test.mjs',
    'node /tests/a.test.mjs',
  ])('that names none, such as %j, are those that the work changes', async (command) => {
    expect(await found(command, ['src/a.mjs', 'tests/b.test.mjs', 'tests/gone.test.mjs'])).toEqual([
      'tests/b.test.mjs',
    ]);
    expect(await found(command)).toEqual([]);
  });

  test('options and paths outside of the repository are no names', () => {
    expect(namedIn('x --file=a/b ../c /d ./e')).toEqual(['x', 'a/b', 'e']);
  });

  test.each([
    ['node', 'node --test tests', true],
    ['node', 'node tests/a.test.mjs', false],
    ['node', 'npm run one', true],
    ['vitest', 'npx vitest run', true],
    ['vitest', 'npm run one', false],
    ['pytest', 'poetry run pytest -q', true],
  ])('with the runner %s, whether %j calls it is %j', async (runner, command, isReported) => {
    const { testing } = configOf();
    const context = contextOf(world(), configOf({ testing: { ...testing, runner } }));
    expect(await testCommand.read(context, { command, since: 'base' })).toMatchObject({ isReported, base: 'head' });
  });
});

describe('the checks of an item with a command', () => {
  const { testing } = configOf();
  const checks = (command: string, ownTests_: readonly string[], runner = testing.runner) =>
    featureChecks(
      { testFile: null, proof: { command, timeoutMs: 5 }, ownTests: ownTests_ },
      configOf({ testing: { ...testing, runner, feature: 'pytest {test_file}', full: 'pytest' } }),
    ).filter(({ name }) => name !== 'full' && name !== 'lint');

  test('are the command, and its tests by the runner', () => {
    expect(checks('make check', ['tests/a.py', 'tests/b.py'])).toMatchObject([
      { name: 'feature', command: 'make check', runner: null, timeoutMs: 5 },
      { name: 'own-test', command: 'pytest tests/a.py tests/b.py', runner: 'pytest', needsTests: true },
    ]);
  });

  test.each(['pytest tests/a.py', 'pytest'])('are one run where %j calls the runner itself', (command) => {
    expect(checks(command, ['tests/a.py'])).toMatchObject([{ name: 'feature', runner: 'pytest', needsTests: true }]);
  });

  test('are the command alone where no runner reports tests, or no test belongs to it', () => {
    expect(checks('make check', ['tests/a.py'], 'command')).toMatchObject([{ name: 'feature', runner: null }]);
    expect(checks('make check', [])).toMatchObject([{ name: 'feature', runner: null }]);
  });
});
