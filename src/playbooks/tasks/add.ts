// A task that a person adds (reference 003, Add Command): what they said, filled up to a whole entry.
import type { Draft, NewItem } from '../../engine/playbook.ts';
import { failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { addTask, nextTaskId } from './change.ts';
import { readTasks } from './read.ts';
import { PRIORITIES, type Priority, type Task } from './schema.ts';

const EXAMPLE =
  'harness add "Add rate limiting" --verify "npm test -- rate-limit" --priority P1 --depends-on task-001 --timeout 120';

type Options = { readonly queued?: readonly Json[] };

export function draftTask(text: string, file: string, wanted: NewItem, options: Options = {}): Result<Draft> {
  const read = readTasks(text, file);
  if (!read.ok) return read;
  const wrong = (what: string): Result<never> => err(failure('usage', { what, hint: EXAMPLE }));
  const title = wanted.title.trim();
  if (title === '') return wrong('the title is empty');
  const priority = priorityOf(wanted.priority);
  if (priority === undefined) return wrong(`--priority wants P0, P1 or P2, not "${wanted.priority ?? ''}"`);
  if (wanted.category !== null) return wrong('a task has no category');
  if (wanted.steps.length > 0) return wrong('a task has no steps: --verify names the command that proves it');
  const queued = (options.queued ?? []) as unknown as readonly Task[];
  const known = [...read.value.tasks, ...queued];
  const unknown = wanted.dependsOn.find((id) => !known.some((task) => task.id === id));
  if (unknown !== undefined) return wrong(`--depends-on names ${unknown}, and there is no such task`);
  const command = wanted.verify;
  const there = known.find((task) => isSame(task, { title, command }));
  const task: Task = there ?? {
    id: nextTaskId(known),
    title,
    status: 'pending',
    ...(priority === null ? {} : { priority }),
    depends_on: wanted.dependsOn,
    attempts: 0,
    max_attempts: 3,
    started_at_commit: null,
    validation: { command, timeout_seconds: wanted.timeoutSeconds ?? 300 },
    on_failure: { cleanup: null },
    error_log: [],
    checkpoints: [],
    completed_at: null,
  };
  const draft = { id: task.id, entry: task as Json, testFile: null, flags: [], split: [] };
  return ok({ ...draft, isThere: there !== undefined });
}

/** The same title proved by the same command is the same task, whatever its id. */
const isSame = (task: Task, { title, command }: { readonly title: string; readonly command: string | null }): boolean =>
  task.title === title && (task.validation?.command ?? null) === command;

/** Undefined: there is no such priority. */
function priorityOf(word: string | null): Priority | null | undefined {
  if (word === null) return null;
  return PRIORITIES.find((name, rank) => name === word.trim().toUpperCase() || String(rank) === word.trim());
}

/** The text with the task at its end, under the next free id where its own was given away meanwhile. */
export function withTask(text: string, task: Task): string {
  const { tasks } = JSON.parse(text) as { readonly tasks: readonly Task[] };
  const command = task.validation?.command ?? null;
  if (tasks.some((one) => isSame(one, { title: task.title, command }))) return text;
  const isTaken = tasks.some(({ id }) => id === task.id);
  return addTask(text, isTaken ? { ...task, id: nextTaskId(tasks) } : task);
}
