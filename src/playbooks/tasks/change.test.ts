// Changes of harness-tasks.json: the fields that are asked for and no other, in any layout of the file.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ItemChange } from '../../model/item.ts';
import { addTask, changeTask, nextTaskId, patchSession, patchTask } from './change.ts';
import { readTasks, type Task, type TasksFile } from './schema.ts';

const word = fc.string({ minLength: 1, maxLength: 12 });
const tasks = fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 6 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(`task-${id}`),
        title: word.map((text) => `t${text}`),
        status: fc.constantFrom('pending', 'completed', 'failed' as const),
        attempts: fc.nat(2),
        error_log: fc.array(word, { maxLength: 2 }),
        owner: word, // a field that is not of the format
      }),
    ),
  ),
) as fc.Arbitrary<Task[]>;
const layouts = fc.constantFrom(
  (file: object) => JSON.stringify(file),
  (file: object) => JSON.stringify(file, null, 2),
  (file: object) => JSON.stringify(file, null, '\t').replaceAll('\n', '\r\n'),
);
const file = fc.tuple(tasks, layouts).map(([list, layout]) => ({
  list,
  text: layout({ version: 2, note: 'of a user', tasks: list, session_count: 3 }),
}));
const parsed = (text: string): TasksFile & { readonly note?: string } => JSON.parse(text) as TasksFile;

test('a patch changes the given fields and nothing else, and applying it twice has the effect of applying it once', () => {
  fc.assert(
    fc.property(
      file,
      fc.nat(5),
      fc.constantFrom('in_progress', 'failed'),
      fc.nat(3),
      ({ list, text }, n, status, attempts) => {
        const task = list[n % list.length] as Task;
        const patch = { status, attempts, started_at_commit: 'abc1234' };
        const after = patchTask(text, task.id, patch);
        expect(parsed(after)).toEqual({
          ...parsed(text),
          tasks: list.map((one) => (one.id === task.id ? { ...one, ...patch } : one)),
        });
        expect(patchTask(after, task.id, patch)).toBe(after);
      },
    ),
  );
});

test('the number and the time of a session are the only thing that changes with it', () => {
  fc.assert(
    fc.property(file, ({ text }) => {
      const after = parsed(patchSession(text, { session_count: 4, last_session: 'now' }));
      expect(after).toEqual({ ...parsed(text), session_count: 4, last_session: 'now' });
    }),
  );
});

test('what is written can always be read', () => {
  fc.assert(
    fc.property(file, fc.nat(5), ({ list, text }, n) => {
      const id = (list[n % list.length] as Task).id;
      const change = { type: 'skipped', reason: 'not now', unblock: false } as const;
      expect(readTasks(changeTask(text, id, change), 'f')).toMatchObject({ ok: true });
    }),
  );
});

test('every change applied twice has the effect of applying it once', () => {
  const at = '2025-01-16T14:30:00.000Z';
  const changes: readonly ItemChange[] = [
    { type: 'landed', at },
    { type: 'failing', why: 'found failing' },
    { type: 'skipped', reason: 'not now', unblock: true, at },
    { type: 'overridden', passes: true, reason: 'seen', by: 'Ada', at },
    { type: 'overridden', passes: false, reason: 'broken', by: 'Ada', at },
    { type: 'size-accepted' },
  ];
  fc.assert(
    fc.property(file, fc.nat(5), fc.constantFrom(...changes), ({ list, text }, n, change) => {
      const once = changeTask(text, (list[n % list.length] as Task).id, change);
      expect(changeTask(once, (list[n % list.length] as Task).id, change)).toBe(once);
    }),
  );
});

test('a task that fails again after it had landed gets another line in its error log', () => {
  const change = { type: 'failing', why: 'found failing' } as const;
  const text = JSON.stringify({ tasks: [{ id: 'a', title: 'A', status: 'completed' }] });
  const again = changeTask(changeTask(changeTask(text, 'a', change), 'a', { type: 'landed' }), 'a', change);
  expect(parsed(again).tasks[0]?.error_log).toEqual(['[TEST_FAIL] found failing', '[TEST_FAIL] found failing']);
});

describe('what the dependencies make of the others', () => {
  const text = JSON.stringify({
    tasks: [
      { id: 'a', title: 'A', status: 'in_progress', attempts: 2, max_attempts: 3 },
      { id: 'b', title: 'B', status: 'pending', depends_on: ['a'] },
      { id: 'c', title: 'C', status: 'pending', depends_on: ['b'] },
    ],
  });
  const logs = (now: string) => parsed(now).tasks.map(({ status, error_log: log }) => [status, log ?? []]);

  test('is written with the change that caused it, and removed with its cause', () => {
    const lost = patchTask(text, 'a', { status: 'failed', attempts: 3 });
    expect(logs(lost).slice(1)).toEqual([
      ['failed', ['[DEPENDENCY] Blocked by failed a']],
      ['failed', ['[DEPENDENCY] Blocked by failed b']],
    ]);
    const again = patchTask(lost, 'a', { attempts: 0 });
    expect(logs(again).slice(1)).toEqual([
      ['pending', []],
      ['pending', []],
    ]);
  });
});

test('an added task has the next number, and the others are as they were', () => {
  fc.assert(
    fc.property(file, ({ list, text }) => {
      const id = nextTaskId(list);
      expect(list.map((task) => task.id)).not.toContain(id);
      const task = { id, title: 'New', status: 'pending' } as const;
      expect(parsed(addTask(text, task)).tasks).toEqual([...list, task]);
    }),
  );
  expect(nextTaskId([])).toBe('task-001');
  expect(nextTaskId([{ id: 'task-009' }, { id: 'x' }])).toBe('task-010');
});
