// Which files an agent may not write.
import { expect, test } from 'vitest';
import { configOf } from '../../test/support/config.ts';
import type { Playbook } from '../engine/playbook.ts';
import { protectedFiles } from './protected.ts';

const featuresLike = { name: 'features', roles: ['coding'] } as unknown as Playbook;
const PROMPTS = ['.harness-prompts/features/initializer.md', '.harness-prompts/features/coding.md'];

const pathsOf = (source: string | null): readonly string[] =>
  protectedFiles({ config: { ...configOf(), source }, playbook: featuresLike })
    .filter(({ problem }) => problem === 'config-edited')
    .map(({ path }) => path);

test('every file that could be the next configuration, there or not, and the one in use first', () => {
  expect(pathsOf('.harness.yaml')).toEqual(['.harness.yaml', 'harness.config.json', 'harness.config.ts', ...PROMPTS]);
  expect(pathsOf('/etc/shop.yaml')[0]).toBe('/etc/shop.yaml');
  expect(pathsOf(null)).toEqual(['.harness.yaml', 'harness.config.json', 'harness.config.ts', ...PROMPTS]);
});
