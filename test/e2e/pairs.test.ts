// Any list with any machine, by configuration: what lands is the same.
import { expect, test } from 'vitest';
import { made, task, taskList } from './task-list.ts';
import { expectExit, session, work, workshop } from './workshop.ts';

const done = (item: 1 | 2 | 3) => {
  const [first, second] = work(item);
  return session(item, first ?? '', second ?? '', { say: 'CHECKPOINT step=1/1 "made it"\nDone.' });
};

test('features.json is worked by the tasks machine: each landing says so in the list, what was tried is in a ledger of its own', async () => {
  const shop = workshop({
    sessions: [
      done(1),
      { when: { item: 2, attempt: 1 }, turns: Array.from({ length: 9 }, () => [{ say: 'Done.' }]) },
      done(2),
      done(3),
    ],
  });
  shop.write(
    '.harness.yaml',
    shop.read('.harness.yaml').replace('playbook: features', 'playbook: { backlog: features, machine: tasks }'),
  );
  shop.git('commit', '-qam', 'another machine');
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'done' });
  expect(shop.features().map(({ passes }) => passes)).toEqual([true, true, true]);
  expect(shop.subjects().slice(1)).toEqual([
    'feat(task): #1 A bench can be set up',
    'feat(task): #2 A saw hangs on the wall',
    'feat(task): #3 A board can be cut',
  ]);
  expect(shop.git('show', '--stat', '--format=', 'HEAD')).toContain('features.json');
  const ledger = JSON.parse(shop.read('.harness/tasks/harness-tasks.json')) as {
    tasks: { [field: string]: unknown }[];
  };
  expect(ledger.tasks[1]).toMatchObject({
    id: '2',
    status: 'completed',
    attempts: 1,
    error_log: [expect.stringMatching(/^\[TEST_FAIL\]/)],
  });
  expect(shop.read('.harness/tasks/harness-progress.txt')).toContain('CHECKPOINT [1] step=1/1 "made it"');
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('harness-tasks.json is worked by the features machine: list and log are in the commit that lands, and the next session reads them', async () => {
  const shop = taskList([task('task-001'), task('task-002', { depends_on: ['task-001'], owner: 'anna' })], {
    isTracked: true,
    files: { 'init.sh': '#!/bin/sh\n', 'claude-progress.txt': '# Progress: shop\n' },
    sessions: [
      { when: { item: 'task-001', session: 1 }, turns: Array.from({ length: 9 }, () => [{ say: 'Done.' }]) },
      made('task-001'),
      made('task-002'),
    ],
  });
  shop.write(
    '.harness.yaml',
    shop.read('.harness.yaml').replace('playbook: tasks', 'playbook: { backlog: tasks, machine: features }'),
  );
  shop.git('add', '-A');
  shop.git('commit', '-qm', 'another machine');
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({
    result: 'done',
    items: [{ result: 'rejected' }, { result: 'landed' }, { result: 'landed' }],
  });
  expect(shop.task('task-001')).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
  expect(shop.task('task-002')).toMatchObject({ status: 'completed', owner: 'anna' });
  expect(shop.git('log', '--format=%s', '-2', '--', 'harness-tasks.json').split('\n')).toEqual([
    'feat(app): #task-002 Make task-002',
    'feat(app): #task-001 Make task-001',
  ]);
  expect(shop.read('claude-progress.txt')).toContain('FEATURE: #task-002 (Make task-002)');
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.read('.harness/sessions/3/prompt-1.md')).toContain('This List Is Kept By The Harness');
});
