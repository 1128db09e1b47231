// A person edits features.json while agents, who claim in it, are at work: the edit is taken at the next boundary or kept and named.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, expectAllLanded, lanesShop, make, meet } from './lanes-shop.ts';
import { task } from '../support/task-record.ts';
import { made, taskList } from './task-list.ts';
import { expectExit, session, work, workshop } from './workshop.ts';

test('beside agents in work trees of their own it is taken whole, costs no agent anything and holds no landing up', async () => {
  const sessions = [1, 2].map((item) => at(item, ...meet(item, [1, 2]), { wait_for_file: '../go' }, ...make(item)));
  const shop = lanesShop(2, 2, { sessions: [...sessions, at(3, ...make(3))] });
  const run = shop.start('run', '--until-done', '--no-input');
  for (const item of [1, 2]) await run.until(join(shop.around, `at-${item}`));
  const { features } = JSON.parse(shop.read('features.json')) as { features: readonly object[] };
  const third = {
    id: 3,
    category: 'bench',
    description: 'Thing 3 is there',
    test_file: 'tests/thing3.test',
    passes: false,
  };
  const renamed = { ...features[1], description: 'Thing 2 is there, and blue' };
  shop.write('features.json', `${JSON.stringify({ features: [features[0], renamed, third] }, null, 2)}\n`);
  writeFileSync(join(shop.around, 'go'), '');
  const ended = await run.ended;
  expectExit(ended, 0);
  expect(ended.stderr).toContain('You changed features.json while the agent worked: the change is taken.');
  expect(shop.features()).toMatchObject([
    { id: 1, passes: true },
    { id: 2, passes: true, description: 'Thing 2 is there, and blue' },
    { id: 3, passes: true },
  ]);
  expect(
    readdirSync(join(shop.root, '.harness')).includes('edits') ? readdirSync(join(shop.root, '.harness/edits')) : [],
  ).toEqual([]);
  await expectAllLanded(shop, 3);
});

test('in the work tree of the agent it may be the agent’s: it is kept and named, and a person takes it', async () => {
  const waiting = session(1, { write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }, ...work(1));
  const shop = workshop({ sessions: [waiting, session(2, ...work(2))] });
  const run = shop.start('run');
  await run.until(join(shop.around, 'at-work'));
  shop.write('features.json', shop.read('features.json').replace('A saw hangs on the wall', 'A blue saw hangs'));
  writeFileSync(join(shop.around, 'go'), '');
  const ended = await run.ended;
  expect(ended.stderr).toContain('The changed text is kept as .harness/edits/');
  expect(shop.read('features.json')).toContain('A saw hangs on the wall');
  expectExit(await shop.harness('resume', '--accept-edits'), 0);
  expect(shop.features()[1]).toMatchObject({ description: 'A blue saw hangs' });
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a tracked list of tasks that `git stash` puts back: what has landed is not done again', async () => {
  const ids = ['task-001', 'task-002'];
  const shop = taskList(
    ids.map((id) => task(id)),
    { sessions: ids.map((id) => made(id)), isTracked: true },
  );
  expectExit(await shop.harness('run', '--max-sessions', '1'), 6);
  const sessions = shop.sessions();
  shop.git('stash');
  expect(shop.task('task-001').status).toBe('pending');
  const again = await shop.harness('run', '--json');
  expectExit(again, 0);
  expect(shop.list().tasks.map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect(shop.sessions().length).toBeGreaterThan(sessions.length);
  const landed = shop.git('log', '--format=%(trailers:key=Harness-Item,valueonly)').split('\n').filter(Boolean);
  expect(landed.toSorted()).toEqual(ids);
  expect(shop.log().join('\n')).toContain('before the list was put back: marked completed');
});
