// Facts that the loop and the tasks machine ask for. Each reads through the World and decides nothing beyond what it read.
import { z } from 'zod';
import type { Survey } from '../../engine/playbook.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { err, type Result } from '../../model/result.ts';
import type { World } from '../../model/world.ts';
import { asJson } from '../session/surveys.ts';
import { leftByLast, stateInput, stateOf } from '../session/last.ts';
import { chosen } from './backlog.ts';
import type { TaskFacts } from './facts.ts';
import { readLine } from './log.ts';
import { notesIn } from './notes.ts';
import { readTasks } from './read.ts';
import {
  attemptsOf,
  isSkipped,
  maxAttemptsOf,
  sessionsOf,
  validationOf,
  type Task,
  type TaskId,
  type TasksFile,
} from './schema.ts';
import { settled } from './select.ts';

export async function tasksIn(world: World, file: string): Promise<Result<TasksFile>> {
  const text = await world.read(file);
  return text === null ? err(failure('backlog-missing', { file }, { at: { file } })) : readTasks(text, file);
}

const nextInput = z.object({ backlog: z.string(), progress: z.string(), ...stateInput, only: z.string().nullable() });

/** The loop's question: NextFacts. What is under way first, then what was never tried, then what failed and may be tried again. */
const next: Survey = async (world, input) => {
  const given = nextInput.parse(input);
  const none = (f: Failure): Json => asJson({ next: null, remaining: 0, session: 0, failure: f });
  const read = await tasksIn(world, given.backlog);
  if (!read.ok) return none(read.failure);
  const state = await stateOf(world, given);
  if (!state.ok) return none(state.failure);
  const tasks = settled(read.value.tasks);
  const open = tasks.filter((task) => task.status !== 'completed' && !isSkipped(task));
  const { current_feature: current, last_session: last } = state.value;
  const told = (task: Task | null): Json =>
    asJson({ next: task?.id ?? null, remaining: open.length, session: last + 1, failure: null });
  if (given.only !== null) {
    const only = tasks.find(({ id }) => id === given.only);
    if (only === undefined) return none(failure('item-unknown', { item: given.only }));
    const others = tasks.filter((task) => task.id === given.only || task.status === 'completed' || isSkipped(task));
    return chosen(others, null)?.id === given.only ? told(only) : none(notReady(only, tasks));
  }
  const task = chosen(tasks, String(current), await failuresIn(world, given.progress));
  return task === null && open.length > 0 ? none(givenUp(open)) : told(task);
};

function notReady(task: Task, tasks: readonly Task[]): Failure {
  const isDone = (id: TaskId): boolean => tasks.some((other) => other.id === id && other.status === 'completed');
  const blockers = (task.depends_on ?? []).filter((id) => !isDone(id)).join(', ');
  const status = task.status === 'completed' ? 'item-landed' : isSkipped(task) ? 'item-skipped' : 'item-blocked';
  return failure('item-not-ready', { item: task.id, status, blockers });
}

/** So many are named. */
const MOST_NAMED = 10;

/** Nothing is left that may be tried: the end of the reference's loop, and a person's business. */
const givenUp = (open: readonly Task[]): Failure => {
  const ids = open.map(({ id }) => id);
  const more = ids.length > MOST_NAMED ? [`… ${ids.length - MOST_NAMED} more`] : [];
  const items = [...ids.slice(0, MOST_NAMED), ...more].join(', ');
  return failure('items-given-up', { count: ids.length, items });
};

/** When each task failed last, by the log: the reference's file has no place for it. ISO 8601 by id. */
async function failuresIn(world: World, progress: string): Promise<ReadonlyMap<TaskId, string>> {
  const failed = new Map<TaskId, string>();
  for (const line of ((await world.read(progress)) ?? '').split('\n')) {
    const read = line.includes('] ERROR [') ? readLine(line) : null;
    if (read?.type === 'ERROR' && read.task !== undefined) failed.set(read.task, read.at);
  }
  return failed;
}

const itemInput = z.object({ backlog: z.string(), item: z.string(), ...stateInput });

/** `{facts: TaskFacts, failure}` */
const item: Survey = async (world, input) => {
  const given = itemInput.parse(input);
  const read = await tasksIn(world, given.backlog);
  if (!read.ok) return asJson({ facts: null, failure: read.failure });
  const state = await stateOf(world, given);
  if (!state.ok) return asJson({ facts: null, failure: state.failure });
  const task = read.value.tasks.find(({ id }) => id === given.item);
  if (task === undefined) return asJson({ facts: null, failure: failure('item-unknown', { item: given.item }) });
  const left = await leftByLast(world, state.value, given);
  const proof = validationOf(task);
  const facts: TaskFacts = {
    id: task.id,
    title: task.title,
    category: 'task',
    testFile: null,
    ...(proof === null ? {} : { proof }),
    mayChangeTests: false,
    partial: left.partial,
    last: left.last,
    failed: left.failed,
    oversized: [],
    attempt: attemptsOf(task) + 1,
    task: {
      status: task.status,
      attempts: attemptsOf(task),
      maxAttempts: maxAttemptsOf(task),
      errorLog: task.error_log ?? [],
      checkpoints: task.checkpoints ?? [],
      base: task.started_at_commit ?? null,
      cleanup: task.on_failure?.cleanup ?? null,
      run: sessionsOf(read.value),
    },
  };
  return asJson({ facts, failure: null });
};

/** How far back commits of an interrupted task are looked for. */
const MOST_COMMITS = 200;
const foundInput = z.object({
  backlog: z.string(),
  item: z.string(),
  base: z.string().nullable(),
  stateDir: z.string(),
  session: z.number(),
});

/**
 * What an interrupted task left: `{isBaseThere, uncommitted, commits, isMixed, heard, run}`. Commits belong to it where their message or their
 * trailer names it (reference 003, Decision matrix).
 */
const found: Survey = async (world, input) => {
  const { backlog, item: id, base, stateDir, session } = foundInput.parse(input);
  const read = await tasksIn(world, backlog);
  const run = read.ok ? sessionsOf(read.value) : 0;
  const isBaseThere = base !== null && (await world.isCommit(base));
  const recent = await world.recentCommits(MOST_COMMITS);
  const end = base === null ? -1 : recent.findIndex((commit) => commit.id.startsWith(base.toLowerCase()));
  const since = end < 0 ? recent : recent.slice(0, end);
  const commits = since.filter(({ subject, trailers }) => names(subject, id) || trailers['Harness-Item'] === id);
  const isMixed = commits.length < since.length;
  const { dirty } = await world.head();
  const heard = notesIn(await world.read(`${stateDir}/sessions/${session}/notes.jsonl`));
  return asJson({ isBaseThere, uncommitted: dirty.length > 0, commits: commits.length > 0, isMixed, heard, run });
};

/** task-1 is not named by task-12. */
const names = (subject: string, id: TaskId): boolean =>
  subject.split(/[^\p{L}\p{N}._-]+/u).some((word) => word.replace(/[._-]+$/, '') === id);

/** What the agent of a session has said of its progress so far: `{heard}`. */
const heard: Survey = async (world, input) => {
  const { stateDir, session } = z.object({ stateDir: z.string(), session: z.number() }).parse(input);
  return asJson({ heard: notesIn(await world.read(`${stateDir}/sessions/${session}/notes.jsonl`)) });
};

/** Completed tasks that bring a command, the newest first; those that a person vouches for are left out. */
const tested: Survey = async (world, input) => {
  const { backlog } = z.object({ backlog: z.string() }).parse(input);
  const read = await tasksIn(world, backlog);
  const done = read.ok ? read.value.tasks.filter((task) => task.status === 'completed' && !task.override?.passes) : [];
  const items = done.flatMap((task) => {
    const proof = validationOf(task);
    return proof === null ? [] : [{ id: task.id, testFile: null, proof }];
  });
  return asJson({ items: items.slice(-100).reverse() });
};

/** Test ids name no task: nobody owns one. */
const owners: Survey = () => Promise.resolve({ owners: [] });

/** The list is there; the log is made with its first line, and scripts are the configuration's. */
const harnessFiles: Survey = async (world, input) => {
  const { backlog, config } = z.object({ backlog: z.string(), config: z.string().nullable() }).parse(input);
  const missing: string[] = [];
  for (const path of [config, backlog])
    if (path !== null && (await world.stat(path))?.kind !== 'file') missing.push(path);
  return asJson({ missing, notExecutable: [] });
};

export const surveys = { next, item, found, heard, tested, owners, 'harness-files': harnessFiles } as const satisfies {
  readonly [name: string]: Survey;
};
