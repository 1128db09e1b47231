// The ledger of the tasks machine: what it knows of each task (status, attempts, errors, checkpoints), in the format of harness-tasks.json. In a
// list of this format the ledger is the list itself. For any other list it is a file of its own, brought up to date from the list's items
// whenever it is read: the list decides which items there are and which are done, and attempts, errors and checkpoints so far are kept.
import { z } from 'zod';
import { defineEdit, type ReadContext } from '../../engine/definitions.ts';
import type { Listing } from '../../engine/backlog.ts';
import type { Config } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import type { Item, Subject } from '../../model/item.ts';
import { jsonSchema } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { featureCommand } from '../session/checks.ts';
import { listOf } from '../session/surveys.ts';
import { forgotten } from '../session/begin-again.ts';
import { uncounted } from '../session/retry.ts';
import { patchSession, patchTask, tasksIn } from './change.ts';
import { isJson, readTasks, PRIORITIES, type Task, type TasksFile } from './schema.ts';

export const ownsList = ({ playbook }: Config): boolean => playbook.backlog === 'tasks';

export const ledgerPath = (config: Config): string =>
  ownsList(config) ? config.paths.backlog : `${config.paths.stateDir}/tasks/harness-tasks.json`;

/** The ledger, brought up to date from the list. Fails if the list is missing or cannot be read. */
export async function ledgerText(context: ReadContext): Promise<Result<string>> {
  const { view, config } = context;
  const file = ledgerPath(config);
  const text = await view.read(file);
  if (!ownsList(config)) {
    const list = await listOf(context);
    if (!list.ok) return list;
    // A ledger that cannot be read is rebuilt: it only records attempts.
    const known = text === null ? null : readTasks(text, file);
    return ok(projected(list.value, known?.ok === true ? known.value : null, config, seconds(view.now)));
  }
  if (text === null) return err(failure('backlog-missing', { file }, { at: { file } }));
  const read = readTasks(text, file);
  return read.ok ? ok(text) : read;
}

export async function readLedger(context: ReadContext): Promise<Result<TasksFile>> {
  const text = await ledgerText(context);
  return text.ok ? readTasks(text.value, ledgerPath(context.config)) : text;
}

/** Times in this format have no fractions of a second. */
export const seconds = (at: string): string => at.replace(/\.\d+(?=Z)/, '');

/** `known`: the ledger as it was; null: there was none. `at`: ISO 8601. */
function projected(list: Listing, known: TasksFile | null, config: Config, at: string): string {
  const before = new Map((known?.tasks ?? []).map((task) => [task.id, task]));
  const file: TasksFile = {
    version: 2,
    created: known?.created ?? at,
    session_config: known?.session_config ?? { max_tasks_per_session: 20, max_sessions: 50 },
    tasks: list.items.map((item) => taskOf(item, list.subject(item.id), before.get(item.id), config)),
    session_count: known?.session_count ?? 0,
    last_session: known?.last_session ?? null,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function taskOf(item: Item, subject: Subject | null, known: Task | undefined, config: Config): Task {
  const ms = subject?.proof?.timeoutMs ?? config.testing.timeoutMinutes * 60_000;
  return {
    attempts: 0,
    max_attempts: 3,
    started_at_commit: null,
    on_failure: { cleanup: null },
    error_log: [],
    checkpoints: [],
    ...known,
    id: item.id,
    title: item.title,
    status: statusOf(subject, known),
    priority: PRIORITIES[Math.max(0, (item.priority ?? PRIORITIES.length) - 1)] ?? PRIORITIES.at(-1) ?? null,
    depends_on: item.dependsOn,
    validation: { command: commandOf(subject, config), timeout_seconds: Math.max(1, Math.round(ms / 1000)) },
    completed_at: subject?.passes === true ? (known?.completed_at ?? null) : null,
    skipped: subject?.skipped ?? null,
    override: subject?.override ?? null,
  };
}

/** null: no command proves it. */
function commandOf(subject: Subject | null, config: Config): string | null {
  if (subject?.proof) return subject.proof.command;
  const file = subject?.testFile ?? null;
  return file === null ? null : featureCommand(config, file);
}

/** An item is done where the list says so. */
function statusOf(subject: Subject | null, known: Task | undefined): Task['status'] {
  if (subject?.passes === true) return 'completed';
  return known === undefined || known.status === 'completed' ? 'pending' : known.status;
}

/** Sets fields of one task; null removes a field's value. */
export const patchTaskEdit = defineEdit({
  id: 'tasks.task',
  input: z.object({ item: z.string(), patch: z.record(z.string(), jsonSchema) }),
  async texts(context, { item, patch }) {
    const text = await ledgerText(context);
    return text.ok ? ok({ [ledgerPath(context.config)]: patchTask(text.value, item, patch) }) : text;
  },
});

/** Their attempts are given back: a task that has failed is pending again, its errors stay. */
export const retryTasks = defineEdit({
  id: 'tasks.retry',
  input: z.object({ items: z.array(z.string()) }),
  async texts(context, { items }) {
    const text = await ledgerText(context);
    if (!text.ok) return text;
    const sessions = await uncounted(context, items);
    if (!sessions.ok) return sessions;
    const wanted = items.flatMap((id) => tasksIn(text.value).filter((task) => task.id === id && isRetried(task)));
    const after = wanted.reduce(
      (list, { id, status }) =>
        patchTask(list, id, { attempts: 0, status: status === 'failed' ? 'pending' : (status ?? 'pending') }),
      text.value,
    );
    return ok({ ...sessions.value, ...(wanted.length === 0 ? {} : { [ledgerPath(context.config)]: after }) });
  },
});
/** The task is as before it was claimed: one that is under way and has no work would count as interrupted. */
export const beginTaskAgain = defineEdit({
  id: 'tasks.begin-again',
  input: z.object({ item: z.string() }),
  async texts(context, { item }) {
    const text = await ledgerText(context);
    if (!text.ok) return text;
    const sessions = await forgotten(context, item);
    if (!sessions.ok) return sessions;
    const task = tasksIn(text.value).find(({ id, status }) => id === item && status === 'in_progress');
    if (task === undefined) return sessions;
    const status = (task.attempts ?? 0) > 0 ? 'failed' : 'pending';
    return ok({ ...sessions.value, [ledgerPath(context.config)]: patchTask(text.value, item, { status }) });
  },
});

const isRetried = ({ status, attempts = 0 }: Task): boolean =>
  status !== 'completed' && (status === 'failed' || (attempts ?? 0) > 0);

/** The number and the time of the last session. A list that does not parse is restored from the copy before its last write. */
export const sessionEdit = defineEdit({
  id: 'tasks.session',
  input: z.object({ count: z.number(), at: z.string() }),
  async texts(context, { count, at }) {
    const { view, config } = context;
    const file = ledgerPath(config);
    const now = ownsList(config) ? await view.read(file) : null;
    const isBroken = now !== null && !isJson(now);
    const text = isBroken ? await restored(context, file) : await ledgerText(context);
    return text.ok ? ok({ [file]: patchSession(text.value, { session_count: count, last_session: at }) }) : text;
  },
});

async function restored({ view }: ReadContext, file: string): Promise<Result<string>> {
  const copy = await view.read(`${file}.bak`);
  if (copy === null) return err(failure('backlog-missing', { file }, { at: { file } }));
  const read = readTasks(copy, file);
  return read.ok ? ok(copy) : read;
}
