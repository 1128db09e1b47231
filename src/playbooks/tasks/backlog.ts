// harness-tasks.json as a backlog: the codec that lets any machine work on it.
import type { Backlog, Listing } from '../../engine/backlog.ts';
import type { Item, ItemStatus, Subject } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { ok } from '../../model/result.ts';
import { dependentsIn } from '../records/dependents.ts';
import { draftTask, insertTask } from './add.ts';
import { changeTask } from './change.ts';
import {
  readTasks,
  attemptsOf,
  dependenciesOf,
  hasAttemptsLeft,
  isFree,
  isKeptBack,
  isSkipped,
  limitsOf,
  maxAttemptsOf,
  rankOf,
  sessionsOf,
  PRIORITIES,
  validationOf,
  type Task,
  type TaskId,
  type TasksFile,
} from './schema.ts';
import { nextTask, settled } from './select.ts';
import { takeEdit } from './take-edit.ts';

export const backlog: Backlog = {
  read(text, file) {
    const read = readTasks(text, file);
    return read.ok ? ok(listing(read.value)) : read;
  },
  change: changeTask,
  insert: insertTask,
  raw(text, id) {
    const read = readTasks(text, '');
    const task = read.ok ? read.value.tasks.find((one) => one.id === id) : undefined;
    return task === undefined ? null : toJson(task);
  },
  draft: draftTask,
  prompts: ['command', 'timeout', 'level', 'depends-on'],
  takeEdit,
};

function listing(file: TasksFile): Listing {
  const tasks = settled(file.tasks);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const items = toItems(tasks);
  const startable = new Set(items.filter(isStartable).map(({ id }) => id));
  return {
    items,
    sessions: { count: sessionsOf(file), max: limitsOf(file).sessions, last: file.last_session ?? null },
    lines: tasks.map(
      (task) => `[${task.status}] ${task.id}: ${task.title} (${attemptsOf(task)}/${maxAttemptsOf(task)})`,
    ),
    next({ prefer = null, taken = new Set() } = {}) {
      const free = tasks.filter(({ id }) => !taken.has(id));
      return chosen(free, prefer)?.id ?? null;
    },
    canStart: (id) => startable.has(id),
    subject(id) {
      const task = byId.get(id);
      return task === undefined ? null : subjectOf(task, tasks);
    },
  };
}

/** A task under way is continued before any other starts. */
export const chosen = (
  tasks: readonly Task[],
  prefer: TaskId | null,
  failedAt: ReadonlyMap<TaskId, string> = new Map(),
): Task | null => {
  const open = tasks.filter((task) => task.status === 'in_progress' && !isSkipped(task));
  return open.find(({ id }) => id === prefer) ?? open[0] ?? nextTask(tasks, failedAt);
};

const isStartable = ({ status, attempts, maxAttempts, blockedBy }: Item): boolean =>
  status === 'ready' || (status === 'failed' && blockedBy.length === 0 && attempts < (maxAttempts ?? Infinity));

export function subjectIn(tasks: readonly Task[], id: TaskId): Subject | null {
  const task = tasks.find((one) => one.id === id);
  return task === undefined ? null : subjectOf(task, tasks);
}

const subjectOf = (task: Task, tasks: readonly Task[]): Subject => {
  const proof = validationOf(task);
  return {
    id: task.id,
    title: task.title,
    category: '',
    testFile: null,
    mayChangeTests: [],
    oversized: [],
    byHand: null,
    ...(proof === null ? {} : { proof }),
    ...(typeof task['notes'] === 'string' ? { notes: task['notes'] } : {}),
    steps: [],
    verification: proof === null ? 'none' : 'automated',
    manualChecks: [],
    passes: task.status === 'completed',
    skipped: task.skipped ?? null,
    override: task.override ?? null,
    failing: null,
    get dependents() {
      return dependentsOf(tasks, task.id);
    },
  };
};

/** All tasks that depend on one, directly or not, in file order. */
function dependentsOf(tasks: readonly Task[], id: TaskId): readonly TaskId[] {
  const reached = dependentsIn(tasks, dependenciesOf, [id]);
  return tasks.filter((task) => task.id !== id && reached.has(task.id)).map((task) => task.id);
}

function toItems(tasks: readonly Task[]): readonly Item[] {
  const free = new Set(tasks.filter(isFree).map(({ id }) => id));
  const lost = new Set(tasks.filter((task) => isSkipped(task) && !isFree(task)).map(({ id }) => id));
  return tasks.map((task) => {
    const blockers = task.status === 'completed' ? [] : dependenciesOf(task).filter((id) => !free.has(id));
    const rank = rankOf(task);
    return {
      id: task.id,
      title: task.title,
      status: statusOf(task, blockers, lost),
      dependsOn: dependenciesOf(task),
      priority: rank < PRIORITIES.length ? rank : null,
      attempts: attemptsOf(task),
      maxAttempts: maxAttemptsOf(task),
      blockedBy: blockers,
    };
  });
}

function statusOf(task: Task, blockers: readonly TaskId[], lost: ReadonlySet<TaskId>): ItemStatus {
  if (task.status === 'completed') return task.override?.passes === true ? 'unproved' : 'landed';
  if (isSkipped(task)) return 'skipped';
  if (isKeptBack(task) || blockers.some((id) => lost.has(id))) return 'blocked';
  if (task.status === 'failed') return hasAttemptsLeft(task) && blockers.length > 0 ? 'pending' : 'failed';
  return blockers.length > 0 ? 'pending' : 'ready';
}
