// Test commands that are not configured: inferred if that is safe, else required.
import { describe, expect, test } from 'vitest';
import type { TargetFiles } from '../../model/target-files.ts';
import { configSchema } from './schema.ts';
import { resolveTesting } from './testing.ts';

const found = (testing: object, files: { readonly [name: string]: string } = {}) => {
  const target: TargetFiles = { read: (path) => files[path] ?? null, has: (path) => path in files };
  return resolveTesting(configSchema.parse({ testing }).testing, target);
};
const packageJson = (scripts: object, devDependencies: object = {}): { 'package.json': string } => ({
  'package.json': JSON.stringify({ scripts, devDependencies }),
});

describe('from a written command', () => {
  test.each([
    ['poetry run pytest tests/ -v', 'pytest', 'poetry run pytest {test_file}'],
    ['python -m pytest', 'pytest', 'python -m pytest {test_file}'],
    ['CI=1 npx vitest run --coverage', 'vitest', 'CI=1 npx vitest run {test_file}'],
    ['npx jest', 'jest', 'npx jest --runTestsByPath {test_file}'],
    ['node --import=tsx --test src', 'node', 'node --import=tsx --test {test_file}'],
    ['go test ./...', 'go', 'go test "./$(dirname {test_file})"'],
    ['cargo test --all', 'cargo', 'cargo test --test "$(basename {test_file} .rs)"'],
  ])('%s is %s and gives %s', (full, runner, feature) => {
    expect(found({ full }).testing).toMatchObject({ runner, feature, full });
  });

  test('through a script of package.json', () => {
    const { testing, inferred } = found(
      { full: 'npm test' },
      packageJson({ test: 'npm run unit', unit: 'vitest run' }),
    );
    expect(testing).toMatchObject({ runner: 'vitest', feature: 'npx vitest run {test_file}', full: 'npm test' });
    expect(inferred.map(({ key }) => key)).toEqual(['testing.runner', 'testing.feature']);
  });

  test('that calls itself terminates', () => {
    expect(found({ full: 'npm test' }, packageJson({ test: 'npm test' })).testing.runner).toBe('command');
  });

  test.each(['cd api && pytest', 'make lint; pytest', 'cat list | xargs pytest', '$(which pytest) pytest'])(
    '%s cannot be taken apart, so the key is needed',
    (full) => {
      const { testing, needed } = found({ full });
      expect(testing).toMatchObject({ runner: 'pytest', feature: null });
      expect(needed).toMatchObject([{ reason: 'config-value-missing', path: ['testing', 'feature'] }]);
    },
  );

  test('of an unknown runner is judged by its exit code, whatever is installed', () => {
    const { testing, needed } = found({ full: 'make test' }, packageJson({}, { vitest: '1' }));
    expect(testing).toMatchObject({ runner: 'command', feature: null, full: 'make test' });
    expect(needed).toHaveLength(1);
  });
});

describe('from the files in the root', () => {
  test.each([
    ['vitest', packageJson({ test: 'vitest' }), 'npx vitest run {test_file}', 'npx vitest run'],
    [
      'jest',
      { ...packageJson({}, { jest: '30' }), 'yarn.lock': '' },
      'yarn jest --runTestsByPath {test_file}',
      'yarn jest',
    ],
    ['node', packageJson({ test: 'node --test' }), 'node --test {test_file}', 'node --test'],
    [
      'pytest',
      { 'pyproject.toml': '[tool.pytest.ini_options]', 'uv.lock': '' },
      'uv run pytest {test_file}',
      'uv run pytest',
    ],
    ['pytest', { 'pytest.ini': '' }, 'pytest {test_file}', 'pytest'],
    ['go', { 'go.mod': '' }, 'go test "./$(dirname {test_file})"', 'go test ./...'],
  ])('%s is seen', (runner, files, feature, full) => {
    expect(found({}, files).testing).toMatchObject({ runner, feature, full });
    expect(found({}, files).inferred.map(({ key }) => key)).toEqual([
      'testing.runner',
      'testing.feature',
      'testing.full',
    ]);
  });

  test.each([
    ['nothing', {}],
    ['two runners', { ...packageJson({ test: 'vitest' }), 'pytest.ini': '' }],
    ['the placeholder of npm', packageJson({ test: 'echo "Error: no test specified" && exit 1' })],
    ['a package.json that is not JSON', { 'package.json': '{' }],
  ])('%s decides nothing', (_what, files) => {
    const { testing, needed } = found({}, files);
    expect(testing).toMatchObject({ runner: 'command', feature: null, full: null });
    expect(needed).toHaveLength(1);
  });

  test('several runners are all reported', () => {
    const { needed } = found({}, { ...packageJson({ test: 'vitest' }), 'go.mod': '' });
    expect(needed[0]?.params).toMatchObject({ why: 'several-runners', found: 'vitest, go' });
  });
});

test('configured commands are kept', () => {
  const written = { runner: 'tap', feature: 'prove {test_file}', full: null, sanity: { quick: 'true' }, unit: 'false' };
  const { testing, inferred, needed } = found(written, { 'pytest.ini': '' });
  expect(testing).toMatchObject({ runner: 'tap', feature: 'prove {test_file}', full: null, sanity: { quick: 'true' } });
  expect([...inferred, ...needed]).toEqual([]);
});

test('unit tests are the quick check before a session', () => {
  expect(found({ unit: 'pytest tests/unit' }).testing.sanity.quick).toBe('pytest tests/unit');
});
