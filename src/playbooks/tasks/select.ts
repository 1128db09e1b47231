// Which task is next: one that was never tried, then one that failed and may be tried again. Before that, the dependencies are applied.
import { dependencyFaults } from './dependencies.ts';
import {
  attemptsOf,
  DEPENDENCY,
  dependenciesOf,
  hasAttemptsLeft,
  isFree,
  isKeptBack,
  isSkipped,
  rankOf,
  type Task,
  type TaskId,
} from './schema.ts';

/** The tasks with their dependencies applied: one that can never start fails, one that can start again is pending again. Idempotent. */
export function settled(tasks: readonly Task[]): readonly Task[] {
  const faults = dependencyFaults(tasks);
  return tasks.map((task) => {
    const fault = faults.get(task.id);
    const log = task.error_log ?? [];
    const others = log.filter((line) => !line.startsWith(DEPENDENCY));
    if (fault === undefined)
      return isKeptBack(task)
        ? { ...task, status: attemptsOf(task) > 0 ? 'failed' : 'pending', error_log: others }
        : task;
    if (task.status === 'failed' && log.at(-1) === fault && others.length === log.length - 1) return task;
    return { ...task, status: 'failed', error_log: [...others, fault] };
  });
}

/** `failedAt`: ISO 8601 by id. The file has no field for it. Tasks without a time are ordered by id. */
export function nextTask(tasks: readonly Task[], failedAt: ReadonlyMap<TaskId, string> = new Map()): Task | null {
  const completed = new Set(tasks.filter(isFree).map(({ id }) => id));
  const isReady = (task: Task): boolean => dependenciesOf(task).every((id) => completed.has(id));
  const fresh = tasks.filter((task) => task.status === 'pending' && !isSkipped(task) && isReady(task));
  if (fresh.length > 0) return first(fresh, byId);
  const again = tasks.filter(
    (task) =>
      task.status === 'failed' && !isSkipped(task) && hasAttemptsLeft(task) && !isKeptBack(task) && isReady(task),
  );
  const oldest = (a: Task, b: Task): number =>
    compare(failedAt.get(a.id) ?? '', failedAt.get(b.id) ?? '') || byId(a, b);
  return first(again, oldest);
}

type Order = (a: Task, b: Task) => number;

const first = (tasks: readonly Task[], order: Order): Task | null =>
  tasks.reduce<Task | null>(
    (best, task) => (best === null || (rankOf(task) - rankOf(best) || order(task, best)) < 0 ? task : best),
    null,
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** task-9 before task-10: runs of digits count as numbers. */
const NATURAL = new Intl.Collator('en', { numeric: true });
const byId: Order = (a, b) => NATURAL.compare(a.id, b.id) || compare(a.id, b.id);
