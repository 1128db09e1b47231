// `harness add` on a terminal: what was not given is asked, and what cannot be is asked again.
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { taskList } from './task-list.ts';

test('a person who gives a title alone is asked for the rest, and a mistake is asked again', async () => {
  const repo = taskList([{ id: 'task-001', title: 'Lay the floor', status: 'pending' }]);
  const typed = ['Hang the door', './check.sh door', 'soon', '60', 'P7', 'P0', 'task-009', 'task-001'];
  const { code, screen } = await repo.onTerminal(typed, 'add');
  expect(code, screen).toBe(0);
  expect(screen).toMatch(/--timeout must be in seconds, not "soon"\nIts time limit/);
  expect(screen).toMatch(/--priority wants P0, P1 or P2, not "P7"\nPriority/);
  expect(screen).toMatch(/names task-009, and there is no such task\nWhich items/);
  expect(repo.task('task-002')).toMatchObject({
    title: 'Hang the door',
    priority: 'P0',
    depends_on: ['task-001'],
    validation: { command: './check.sh door', timeout_seconds: 60 },
  });
  const bare = await repo.onTerminal(['', '', ''], 'add', 'Paint it');
  expect(bare.code, bare.screen).toBe(0);
  expect(bare.screen).not.toContain('time limit');
  expect(repo.task('task-003')).toMatchObject({ title: 'Paint it', depends_on: [], validation: { command: null } });
});

test('a feature is asked for its test; without one, and where no user can be asked, nothing is added', async () => {
  const repo = makeRepo();
  const before = repo.read('features.json');
  const none = await repo.onTerminal([''], 'add', 'User can return goods');
  expect(none).toMatchObject({ code: 2, screen: expect.stringContaining('--verify is missing') as string });
  for (const call of [['add'], ['add', '--json'], ['add', '-y']]) {
    const ran = await repo.harness(...call);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("argument 'title'") as string });
  }
  expect(repo.read('features.json')).toBe(before);
  const given = await repo.onTerminal([], 'add', 'User can return goods', '--verify', 'tests/return.test.mjs');
  expect(given.code, given.screen).toBe(0);
  expect(given.screen).not.toContain('?');
  expect(repo.features().at(-1)).toMatchObject({ id: 4, test_file: 'tests/return.test.mjs' });
});
