// Changes harness-tasks.json by the smallest edits of its text. Every write also applies the dependencies to the statuses.
import { unreachable } from '../../model/bug.ts';
import type { ItemChange, ItemId } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { addEntry, patchEntries, patchFile, type Patch } from '../records/edit.ts';
import { settled } from './select.ts';
import { isFree, type Task, type TasksFile } from './schema.ts';

/** A change that the user or the loop makes, as fields of the task. */
function patchOf(change: ItemChange, task: Task): Patch {
  switch (change.type) {
    case 'landed':
      return { status: 'completed', completed_at: change.at ?? null, skipped: undefined, override: undefined };
    case 'failing': {
      const line = `[TEST_FAIL] ${change.why}`;
      const log = task.error_log ?? [];
      // Applied again after a crash: the task is open, and its last error is this one.
      const isLogged = task.status === 'pending' && log.at(-1) === line;
      const errorLog = isLogged ? log : [...log, line];
      return { status: 'pending', completed_at: null, error_log: errorLog, override: undefined };
    }
    case 'skipped':
      return { skipped: toJson({ reason: change.reason, at: change.at, unblock: change.unblock }) };
    case 'overridden': {
      const { passes, reason, by, at } = change;
      const decided = { override: { passes, reason, by, at } };
      return passes
        ? { status: 'completed', completed_at: at, skipped: undefined, ...decided }
        : { status: 'pending', completed_at: null, ...decided };
    }
    case 'size-accepted':
      return {};
    case 'retitled':
      return { title: change.title };
    default:
      return unreachable(change);
  }
}

/**
 * The text with one task changed. Idempotent.
 * The text must be one that `readTasks` accepts and hold the id; otherwise throws a Bug.
 */
export function changeTask(text: string, id: ItemId, change: ItemChange): string {
  const task = tasksIn(text).find((one) => one.id === id);
  return patchTask(text, id, task === undefined ? {} : patchOf(change, task));
}

export const patchTask = (text: string, id: ItemId, patch: Patch): string =>
  settle(patchEntries(text, 'tasks', new Map([[id, patch]])));

export const patchSession = (
  text: string,
  patch: { readonly session_count?: number; readonly last_session: string },
): string => settle(patchFile(text, patch));

export const addTask = (text: string, task: object): string => settle(addEntry(text, 'tasks', toJson(task)));

/** The lowest `task-NNN` above all there are. */
export function nextTaskId(tasks: readonly Pick<Task, 'id'>[]): string {
  const numbers = tasks.map(({ id }) => Number(/^task-(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return `task-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
}

/** Applies the dependencies to statuses and logs. */
function settle(text: string): string {
  const tasks = tasksIn(text);
  const after = settled(tasks);
  const patches = after.flatMap((task, n): [string, Patch][] =>
    task === tasks[n] || isFree(task) ? [] : [[task.id, { status: task.status, error_log: task.error_log ?? [] }]],
  );
  return patches.length === 0 ? text : patchEntries(text, 'tasks', new Map(patches));
}

export function tasksIn(text: string): readonly Task[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `readTasks` has accepted the text
  const file = JSON.parse(text) as TasksFile;
  return file.tasks;
}
