// What an initializer made: every mistake is a problem with its own code, and a good scaffold has none.
import { describe, expect, test } from 'vitest';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { configOf } from '../../../test/support/config.ts';
import { contextOf, textsFrom } from '../../../test/support/read-context.ts';
import type { Config } from '../../model/config.ts';
import { initFiles } from './edits.ts';
import { ignores, initialised } from './initialised.ts';
import { hasEntry } from './progress.ts';

describe('initialised', () => {
  const files: Files = {
    'features.json': fileOf([feature(1), feature(2)]),
    'tests/test_1.py': '',
    'tests/test_2.py': '',
    'init.sh': '',
    'reset.sh': '',
    'pyproject.toml': '[tool.ruff]\nline-length = 100\n',
  };
  const sanity = { health: null, lint: null, typeCheck: null, quick: null };
  const unlinted = configOf({ testing: { sanity } });
  const survey = (
    more: { readonly [path: string]: string | null } = {},
    executable = ['init.sh', 'reset.sh'],
    config: Config = unlinted,
  ) => {
    const all = Object.entries({ ...files, ...more }).filter((pair): pair is [string, string] => pair[1] !== null);
    return initialised.read(contextOf(memoryWorld({ files: Object.fromEntries(all), executable }), config), {});
  };
  const codes = async (...args: Parameters<typeof survey>) => (await survey(...args)).problems.map(({ code }) => code);

  test('a good scaffold has no problem: the log and the ignore line are not the agent’s to write', async () => {
    expect(await survey()).toEqual({
      problems: [],
      features: [
        { id: '1', testFile: 'tests/test_1.py' },
        { id: '2', testFile: 'tests/test_2.py' },
      ],
    });
  });
  test('the init edit adds the log entry and the ignore line, and the scaffold still has no problem', async () => {
    const context = contextOf(memoryWorld({ files }), unlinted);
    const made = textsFrom(await initFiles.texts(context, { at: '2025-01-15T10:00:00Z' }));
    expect(hasEntry(made['claude-progress.txt'] ?? null, 0)).toBe(true);
    expect(ignores(made['.gitignore'] ?? null, '.harness')).toBe(true);
    expect((await survey(made)).problems).toEqual([]);
  });
  test('each mistake has its own code', async () => {
    expect(await codes({ 'features.json': null })).toEqual(['init-backlog-missing']);
    expect(await codes({ 'features.json': '{"features": []}' })).toEqual(['init-backlog-empty']);
    expect(await codes({ 'init.sh': null }, ['reset.sh'])).toEqual(['init-script-missing']);
    expect(await codes({}, ['init.sh'])).toEqual(['init-script-not-executable']);
    expect(await codes({ 'pyproject.toml': '[tool.black]' })).toEqual(['init-lint-config-missing']);
    const linted = configOf({ quality: { lintCommand: 'ruff check' }, testing: { sanity } });
    expect(await codes({ 'pyproject.toml': '' }, undefined, linted)).toEqual([]);
    expect(await codes({ 'pyproject.toml': '' }, undefined, configOf())).toEqual([]);
    expect(await codes({ 'pyproject.toml': null, 'eslint.config.js': '' })).toEqual([]);
    expect(await codes({ 'features.json': fileOf([feature(1, { passes: true }), feature(2)]) })).toEqual([
      'init-feature-passing',
    ]);
    expect(
      await codes({ 'features.json': fileOf([feature(1, { description: 'Admin dashboard', size_accepted: true })]) }),
    ).toEqual(['init-feature-too-large', 'decision-forged']);
  });
  test('a list with mistakes gets a problem for each, with reason and location', async () => {
    const text = '{\n"features": [\n{"id": 1, "description": "d", "passes": false, "depends_on": [9]}]}';
    expect(await survey({ 'features.json': text })).toMatchObject({
      problems: [
        {
          code: 'init-backlog-invalid',
          params: { reason: 'entry-field-missing', item: '1', field: 'test_file', line: 3 },
        },
        {
          code: 'init-backlog-invalid',
          params: { reason: 'dependency-missing', dependency: '9', line: 3, column: 63 },
        },
      ],
    });
  });
  test('a test file that several features name is missing once', async () => {
    const shared = fileOf([feature(1, { test_file: 'tests/x.py' }), feature(2, { test_file: 'tests/x.py' })]);
    expect(await survey({ 'features.json': shared })).toMatchObject({
      problems: [{ code: 'init-test-missing', params: { file: 'tests/x.py' }, ids: ['1', '2'] }],
    });
  });
  test('what the configuration requires counts: the number of steps, and a test file for each feature', async () => {
    const steps = Array.from({ length: 5 }, (_, n) => `step ${n}`);
    const list = { 'features.json': fileOf([feature(1, { verification_steps: steps }), feature(2)]) };
    expect(await codes(list)).toEqual([]);
    const narrow = configOf({ features: { maxVerificationSteps: 4 }, testing: { sanity } });
    expect(await codes(list, undefined, narrow)).toEqual(['init-feature-too-large']);
    const untested = { 'features.json': fileOf([feature(1), feature(2, { test_file: null })]) };
    expect(await codes(untested)).toEqual(['init-backlog-invalid']);
    const lenient = configOf({ features: { requireTestFile: false }, testing: { sanity } });
    expect(await codes(untested, undefined, lenient)).toEqual([]);
  });
});
