// The figures of a session's last log line and of `status`. `blocked` is computed and never stored.
import { attemptsOf, dependenciesOf, hasAttemptsLeft, isKeptBack, type Task } from './schema.ts';

export type TaskStats = {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Includes the one under way. */
  readonly pending: number;
  /** Pending tasks that depend on one which is not tried again. */
  readonly blocked: number;
  readonly attempts: number;
  readonly checkpoints: number;
};

export function statsOf(tasks: readonly Task[]): TaskStats {
  const lost = new Set(
    tasks
      .filter((task) => task.status === 'failed' && (isKeptBack(task) || !hasAttemptsLeft(task)))
      .map(({ id }) => id),
  );
  const sum = (of: (task: Task) => number): number => tasks.reduce((all, task) => all + of(task), 0);
  const count = (is: (task: Task) => boolean): number => sum((task) => (is(task) ? 1 : 0));
  return {
    total: tasks.length,
    completed: count(({ status }) => status === 'completed'),
    failed: count(({ status }) => status === 'failed'),
    pending: count(({ status }) => status === 'pending' || status === 'in_progress'),
    blocked: count((task) => task.status === 'pending' && dependenciesOf(task).some((id) => lost.has(id))),
    attempts: sum(attemptsOf),
    checkpoints: sum((task) => (task.checkpoints ?? []).length),
  };
}

/** In the documented order of fields. */
export const statsText = (s: TaskStats): string =>
  `tasks_total=${s.total} completed=${s.completed} failed=${s.failed} pending=${s.pending} blocked=${s.blocked} ` +
  `attempts_total=${s.attempts} checkpoints=${s.checkpoints}`;
