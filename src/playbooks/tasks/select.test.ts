import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PRIORITIES, type Task, type TaskStatus } from './schema.ts';
import { nextTask } from './select.ts';

const task = (id: string, more: Partial<Task> = {}): Task => ({ id, title: id, status: 'pending', ...more });
const IDS = ['task-2', 'task-10', 'task-9', 'task-001', 'b', 'a-3'];
const backlogs = fc
  .array(
    fc.record({
      status: fc.constantFrom<TaskStatus>('pending', 'completed', 'failed', 'in_progress'),
      priority: fc.constantFrom(...PRIORITIES, null),
      depends_on: fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 2 }),
      attempts: fc.integer({ min: 0, max: 3 }),
      error_log: fc.constantFrom([], ['[DEPENDENCY] Blocked by failed b']),
    }),
    { minLength: 6, maxLength: 6 },
  )
  .map((seeds) => IDS.map((id, at) => task(id, seeds[at])));
const times = fc.dictionary(fc.constantFrom(...IDS), fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'));

/** Runs of digits as numbers, padded so that plain comparison does it. */
const padded = (id: string): string => id.replace(/\d+/g, (digits) => digits.padStart(9, '0'));
const keyOf = (one: Task, failedAt: { readonly [id: string]: string }): string =>
  [
    one.status === 'pending' ? 0 : 1,
    one.priority ?? 'P9',
    one.status === 'pending' ? '' : (failedAt[one.id] ?? ''),
    padded(one.id),
  ].join(' ');

describe('the next task', () => {
  test('is the first of all that may begin, in the order of the reference', () => {
    fc.assert(
      fc.property(backlogs, times, (tasks, failedAt) => {
        const isDone = (id: string): boolean => tasks.find((one) => one.id === id)?.status === 'completed';
        const may = tasks.filter(
          (one) =>
            (one.depends_on ?? []).every(isDone) &&
            (one.status === 'pending' ||
              (one.status === 'failed' && (one.attempts ?? 0) < 3 && (one.error_log ?? []).length === 0)),
        );
        const wanted = may.map((one) => keyOf(one, failedAt)).sort()[0];
        const found = nextTask(tasks, new Map(Object.entries(failedAt)));
        expect(found === null ? undefined : keyOf(found, failedAt)).toBe(wanted);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never depends on the order of the file', () => {
    fc.assert(
      fc.property(backlogs, (tasks) => {
        expect(nextTask([...tasks].reverse())?.id).toBe(nextTask(tasks)?.id);
      }),
    );
  });
});
