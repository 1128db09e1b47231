// Edits of the list in a work tree of the harness's own are made from the newest commit: otherwise a landing would take back what others landed.
import { expect, test } from 'vitest';
import { configOf } from '../../test/support/config.ts';
import { featuresPlaybook } from '../../test/support/features.ts';
import { changeItem } from '../engine/list-edits.ts';
import type { RepositoryView } from '../model/repository-view.ts';
import { readNewest } from './newest-list.ts';

const list = (...passing: readonly number[]): string =>
  `${JSON.stringify({ features: [1, 2].map((id) => ({ id, description: `Thing ${id}`, test_file: 't', passes: passing.includes(id) })) }, null, 2)}\n`;

const view = {
  now: '2026-03-01T00:00:00Z',
  read: (path: string) => Promise.resolve(path === 'features.json' ? list() : 'here'),
  readAt: (rev: string) => Promise.resolve(rev === 'refs/heads/main' ? list(1) : null),
} as unknown as RepositoryView;
const context = {
  root: '/lane',
  userRoot: '/shop',
  git: { own: [] },
  view,
  backlog: featuresPlaybook.backlog,
  machine: featuresPlaybook.machine,
  config: configOf(),
} as unknown as Parameters<typeof readNewest>[0];

test.each([
  ['refs/heads/main', list(1, 2)],
  [null, list(2)],
])('from %s', async (at, wanted) => {
  const read = readNewest(context, at);
  expect(read.view.now).toBe(view.now);
  expect(await read.view.read('init.sh')).toBe('here');
  const change = { type: 'overridden', passes: true, reason: '', by: 'ada', at: '2026-03-01T00:00:00Z' } as const;
  const made = await changeItem.texts(read, { item: '2', change, base: null });
  const { features } = JSON.parse((made.ok && made.value['features.json']) || '{}') as {
    features: readonly { readonly passes: boolean }[];
  };
  const { features: expected } = JSON.parse(wanted) as typeof JSON & {
    features: readonly { readonly passes: boolean }[];
  };
  expect(features.map(({ passes }) => passes)).toEqual(expected.map(({ passes }) => passes));
});
