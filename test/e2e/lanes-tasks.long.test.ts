// Several lanes over a list of tasks that no commit carries: what each of them writes into it is kept.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { task } from '../support/task-record.ts';
import { made, taskList } from './task-list.ts';
import { expectExit, type Steps } from './workshop.ts';

const meet = (id: string, all: readonly string[]): Steps => [
  { write: { path: `../at-${id}`, text: '' } },
  ...all.map((other) => ({ wait_for_file: `../at-${other}` })),
];

test('four tasks at the same time: each lands once, and the list has what became of each', async () => {
  const ids = ['task-001', 'task-002', 'task-003', 'task-004'];
  const shop = taskList(
    ids.map((id) => task(id)),
    { config: 'lanes: 4', sessions: ids.map((id) => made(id, ...meet(id, ids))) },
  );
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'done' });
  expect(shop.list().tasks.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
  for (const id of ids) expect(existsSync(join(shop.root, `${id}.txt`))).toBe(true);
  const landed = shop.git('log', '--format=%(trailers:key=Harness-Item,valueonly)').split('\n').filter(Boolean);
  expect(landed.toSorted()).toEqual(ids);
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a task that fails in one lane is tried again beside the others, as often as the list says', async () => {
  const shop = taskList([task('task-001', { max_attempts: 2 }), task('task-002'), task('task-003')], {
    config: 'lanes: 3',
    sessions: [
      { when: { item: 'task-001' }, turns: [[{ write: { path: 'junk.txt', text: 'x' } }, { say: 'Done.' }]] },
      made('task-002'),
      made('task-003'),
    ],
  });
  const ran = await shop.harness('run', '--json', '--no-input');
  expect(shop.task('task-001')).toMatchObject({ status: 'failed', attempts: 2 });
  expect([shop.task('task-002').status, shop.task('task-003').status]).toEqual(['completed', 'completed']);
  expect(ran.code).toBe(3);
  expect(existsSync(join(shop.root, 'junk.txt'))).toBe(false);
});
