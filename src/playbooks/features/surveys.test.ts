// Surveys: facts for the machine, from what stands in the tree.
import { describe, expect, test } from 'vitest';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { edits } from './edits.ts';
import { surveys } from './surveys.ts';

describe('initialised', () => {
  const files: Files = {
    'features.json': fileOf([feature(1), feature(2)]),
    'tests/test_1.py': '',
    'tests/test_2.py': '',
    'init.sh': '',
    'reset.sh': '',
    'pyproject.toml': '[tool.ruff]\nline-length = 100\n',
  };
  const survey = (more: { [path: string]: string | null } = {}, executable = ['init.sh', 'reset.sh'], input = {}) => {
    const all = Object.entries({ ...files, ...more }).filter((pair): pair is [string, string] => pair[1] !== null);
    return surveys.initialised(memoryWorld({ files: Object.fromEntries(all), executable }), input);
  };
  const codes = async (...args: Parameters<typeof survey>) =>
    ((await survey(...args)) as { problems: { code: string }[] }).problems.map((p) => p.code);

  test('a good scaffold has no problem; log and ignore line are mended by the harness', async () => {
    expect(await survey()).toEqual({
      problems: [],
      mends: [
        { code: 'init-progress-missing', params: { file: 'claude-progress.txt' } },
        { code: 'init-gitignore-missing', params: { line: '.harness/' } },
      ],
      notes: [],
      total: 2,
      features: expect.any(Array),
    });
  });
  test('and after the init edit nothing is left to mend', async () => {
    const made = await edits.init(memoryWorld({ files }), { project: 'p', at: '2025-01-15T10:00:00Z' });
    expect(await survey(made)).toMatchObject({ problems: [], mends: [] });
  });
  test('each mistake has its own code', async () => {
    expect(await codes({ 'features.json': null })).toEqual(['init-backlog-missing']);
    expect(await codes({ 'features.json': '{"features": []}' })).toEqual(['init-backlog-empty']);
    expect(await codes({ 'init.sh': null }, ['reset.sh'])).toEqual(['init-script-missing']);
    expect(await codes({}, ['init.sh'])).toEqual(['init-script-not-executable']);
    expect(await codes({ 'pyproject.toml': '[tool.black]' })).toEqual(['init-lint-config-missing']);
    expect(await codes({ 'pyproject.toml': '' }, undefined, { lintCommand: 'ruff check' })).toEqual([]);
    expect(await codes({ 'pyproject.toml': null, 'eslint.config.js': '' })).toEqual([]);
    expect(await codes({ 'features.json': fileOf([feature(1, { passes: true }), feature(2)]) })).toEqual([
      'init-feature-passing',
    ]);
    expect(
      await codes({ 'features.json': fileOf([feature(1, { description: 'Admin dashboard', size_accepted: true })]) }),
    ).toEqual(['init-feature-too-large', 'decision-forged']);
  });
  test('a file with mistakes tells each with reason, place and what is allowed', async () => {
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
  test('a test file that several features name is missed once', async () => {
    const shared = fileOf([feature(1, { test_file: 'tests/x.py' }), feature(2, { test_file: 'tests/x.py' })]);
    expect(await survey({ 'features.json': shared })).toMatchObject({
      problems: [{ code: 'init-test-missing', params: { file: 'tests/x.py' }, ids: ['1', '2'] }],
    });
  });
});
