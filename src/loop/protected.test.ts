// Which files an agent may not write.
import { expect, test } from 'vitest';
import { configOf } from '../../test/support/config.ts';
import { featuresPlaybook } from '../../test/support/features.ts';
import { protectedFiles } from './protected.ts';

const { backlog, machine } = featuresPlaybook;
const PROMPTS = ['initializer', ...machine.roles].map((role) => `.harness-prompts/features/${role}.md`);

const pathsOf = (source: string | null): readonly string[] =>
  protectedFiles({ config: { ...configOf(), source }, backlog, machine })
    .filter(({ problem }) => problem === 'config-edited')
    .map(({ path }) => path);

test('every file that could be the next configuration, there or not, and the one in use first', () => {
  expect(pathsOf('.harness.yaml')).toEqual(['.harness.yaml', 'harness.config.json', 'harness.config.ts', ...PROMPTS]);
  expect(pathsOf('/etc/shop.yaml')[0]).toBe('/etc/shop.yaml');
  expect(pathsOf(null)).toEqual(['.harness.yaml', 'harness.config.json', 'harness.config.ts', ...PROMPTS]);
});

test('of the state folder only what decides something is guarded: the records in it are copies', () => {
  const files = protectedFiles({ config: configOf(), backlog, machine }).map(({ path, rule }) => `${rule} ${path}`);
  expect(files.filter((file) => file.includes(' .harness/'))).toEqual(['restored .harness/session_state.json']);
});
