// What `status` shows of a list of tasks.
import { expect, test } from 'vitest';
import { backlog } from './backlog.ts';

test('each task is a line: its status, with its dependencies applied, its title and its attempts', () => {
  const tasks = [
    { id: 'task-001', title: 'Log in', status: 'completed', attempts: 1 },
    { id: 'task-002', title: 'Pay', status: 'failed', attempts: 2, max_attempts: 2 },
    { id: 'task-003', title: 'Ship', status: 'pending', depends_on: ['task-002'] },
  ];
  const read = backlog.read(JSON.stringify({ version: 2, tasks }), 'harness-tasks.json');
  expect(read.ok && read.value.lines).toEqual([
    '[completed] task-001: Log in (1/3)',
    '[failed] task-002: Pay (2/2)',
    '[failed] task-003: Ship (0/3)',
  ]);
});
