// A list that a person edited while the harness changed it too: what a person decides of a task is taken from the edit, what the harness
// knows of it from the list as it is.
import { toJson, type Json } from '../../model/json.ts';
import type { Patch } from '../records/edit.ts';
import { patchEntries } from '../records/edit.ts';
import { addTask, tasksIn } from './change.ts';
import { readTasks, type Task } from './schema.ts';

/** What the harness writes. */
const OWN: ReadonlySet<string> = new Set([
  'id',
  'status',
  'attempts',
  'started_at_commit',
  'error_log',
  'checkpoints',
  'completed_at',
  'skipped',
  'override',
]);
/** Fields that decide neither what is run nor what counts as proof. */
const HARMLESS: ReadonlySet<string> = new Set(['title', 'priority', 'depends_on', 'max_attempts']);

/**
 * null: the edit is no list of tasks. `isSure`: a person asked for it; otherwise an agent may have written into the edit, and only new tasks and
 * harmless fields are taken. `isWhole`: nothing of the edit is left out. Idempotent.
 */
export function takeEdit(
  text: string,
  edited: string,
  isSure: boolean,
): { readonly text: string; readonly isWhole: boolean } | null {
  if (!readTasks(edited, '').ok) return null;
  const now = new Map(tasksIn(text).map((task) => [task.id, task]));
  let isWhole = true;
  let after = text;
  for (const task of tasksIn(edited)) {
    const known = now.get(task.id);
    if (known === undefined) {
      after = addTask(after, isSure ? task : asNew(task));
      continue;
    }
    const patch = patchOf(known, task, isSure);
    isWhole &&= isSure || Object.keys(patchOf(known, task, true)).length === Object.keys(patch).length;
    if (Object.keys(patch).length > 0) after = patchEntries(after, 'tasks', new Map([[task.id, patch]]));
  }
  return { text: after, isWhole };
}

function patchOf(known: Task, task: Task, isSure: boolean): Patch {
  const isTaken = (field: string): boolean => (isSure ? !OWN.has(field) : HARMLESS.has(field));
  const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
  const fields = new Set([...Object.keys(known), ...Object.keys(task)]);
  return Object.fromEntries(
    [...fields].flatMap((field): [string, Json | undefined][] => {
      const [was, is] = [toJson(known[field] ?? null), toJson(task[field] ?? null)];
      return !isTaken(field) || same(was, is) ? [] : [[field, Object.hasOwn(task, field) ? is : undefined]];
    }),
  );
}

/** Whatever the edit says: it has not been tried. */
const asNew = ({ completed_at: _c, override: _o, checkpoints: _k, started_at_commit: _s, ...task }: Task): object => ({
  ...task,
  status: 'pending',
  attempts: 0,
});
