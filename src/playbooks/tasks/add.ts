// A task that a user adds: what they gave, completed to a whole entry.
import { z } from 'zod';
import type { Draft, NewItem } from '../../engine/backlog.ts';
import { failure } from '../../model/failure.ts';
import { toJson, type Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { insertEntry } from '../records/insert.ts';
import { addTask, nextTaskId } from './change.ts';
import { readTasks, PRIORITIES, type Priority, type Task } from './schema.ts';

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
  const whole = (options.queued ?? []).reduce<string>(insertTask, text);
  const withQueued = readTasks(whole, file);
  const known = withQueued.ok ? withQueued.value.tasks : read.value.tasks;
  const unknown = wanted.dependsOn.find((id) => !known.some((task) => task.id === id));
  if (unknown !== undefined) return wrong(`--depends-on names ${unknown}, and there is no such task`);
  const command = wanted.verify;
  const there = known.find((task) => isSame(task, { title, command }));
  const task: Task = there ?? {
    id: nextTaskId(known),
    title,
    ...(wanted.notes === undefined ? {} : { notes: wanted.notes }),
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
  const draft = { id: task.id, entry: toJson(task), testFile: null, flags: [], split: [] };
  return ok({ ...draft, isThere: there !== undefined });
}

/** The same title proved by the same command is the same task, whatever its id. */
type NamedTask = Pick<Task, 'title'> & {
  readonly validation?: { readonly command?: string | null | undefined } | null | undefined;
};
const isSame = (
  task: NamedTask,
  { title, command }: { readonly title: string; readonly command: string | null },
): boolean => task.title === title && (task.validation?.command ?? null) === command;

/** Undefined: there is no such priority. */
function priorityOf(word: string | null): Priority | null | undefined {
  if (word === null) return null;
  return PRIORITIES.find((name, rank) => name === word.trim().toUpperCase() || String(rank) === word.trim());
}

export const insertTask = (text: string, entry: Json): string =>
  insertEntry(
    {
      member: 'tasks',
      entry: z.looseObject({
        id: z.string(),
        title: z.string(),
        validation: z.looseObject({ command: z.string().nullish() }).nullish(),
      }),
      isSame: (a, { title, validation }) => isSame(a, { title, command: validation?.command ?? null }),
      freeId: nextTaskId,
      add: addTask,
    },
    text,
    entry,
  );
