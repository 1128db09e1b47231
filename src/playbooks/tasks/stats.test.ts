import { expect, test } from 'vitest';
import type { Task } from './schema.ts';
import { statsOf, statsText } from './run-log.ts';

const task = (id: string, more: Partial<Task> = {}): Task => ({ id, title: id, status: 'pending', ...more });

test('the figures read as in the reference; who waits for one that is given up is blocked, who waits for another is not', () => {
  const checkpoints = [{ step: 1, total: 2, description: 'a', timestamp: '' }];
  const stats = statsOf([
    task('a', { status: 'completed', attempts: 1, checkpoints }),
    task('b', { status: 'failed', attempts: 3 }),
    task('c', { depends_on: ['b'] }),
    task('d', { status: 'failed', attempts: 1 }),
    task('e', { depends_on: ['d'] }),
    task('f', { status: 'in_progress' }),
  ]);
  expect(statsText(stats)).toBe(
    'tasks_total=6 completed=1 failed=2 pending=3 blocked=1 attempts_total=5 checkpoints=1',
  );
});
