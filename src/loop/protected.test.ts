// Which files an agent may not write.
import { expect, test } from 'vitest';
import { configOf } from '../../test/support/config.ts';
import type { Lane } from './lane.ts';
import { protectedFiles } from './protected.ts';

const pathsOf = (source: string | null): readonly string[] =>
  protectedFiles({ config: { ...configOf(), source } } as Lane)
    .filter(({ problem }) => problem === 'config-edited')
    .map(({ path }) => path);

test('every file that could be the next configuration, there or not, and the one in use first', () => {
  expect(pathsOf('.harness.yaml')).toEqual(['.harness.yaml', 'harness.config.json', 'harness.config.ts']);
  expect(pathsOf('/etc/shop.yaml')[0]).toBe('/etc/shop.yaml');
  expect(pathsOf(null)).toEqual(['.harness.yaml', 'harness.config.json', 'harness.config.ts']);
});
