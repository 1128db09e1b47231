// harness-tasks.json as reference 003 has it: types and what a missing field means. Names are the file's own. Unknown fields are
// legal and survive.
import type { Json } from '../../model/json.ts';

export const STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const;
export type TaskStatus = (typeof STATUSES)[number];
/** The first runs first. */
export const PRIORITIES = ['P0', 'P1', 'P2'] as const;
export type Priority = (typeof PRIORITIES)[number];

export type TaskId = string;
/** What an agent said it had done, of how much. */
export type TaskCheckpoint = {
  readonly step: number;
  readonly total: number;
  readonly description: string;
  /** ISO 8601. */
  readonly timestamp: string;
};
export type Task = {
  readonly id: TaskId;
  readonly title: string;
  readonly status: TaskStatus;
  readonly priority?: Priority | null;
  readonly depends_on?: readonly TaskId[] | null;
  /** Failures so far. */
  readonly attempts?: number | null;
  readonly max_attempts?: number | null;
  /** Full or abbreviated id of the commit that a failure goes back to. */
  readonly started_at_commit?: string | null;
  readonly validation?: { readonly command?: string | null; readonly timeout_seconds?: number | null } | null;
  readonly on_failure?: { readonly cleanup?: string | null } | null;
  /** One line each, the category in brackets first: `[TEST_FAIL] 2 tests fail`. */
  readonly error_log?: readonly string[] | null;
  readonly checkpoints?: readonly TaskCheckpoint[] | null;
  /** ISO 8601. */
  readonly completed_at?: string | null;
  readonly [unknown: string]: Json | undefined;
};

const DEFAULT_MAX_ATTEMPTS = 3;

export const dependenciesOf = (task: Task): readonly TaskId[] => task.depends_on ?? [];
export const attemptsOf = (task: Task): number => task.attempts ?? 0;
export const hasAttemptsLeft = (task: Task): boolean => attemptsOf(task) < (task.max_attempts ?? DEFAULT_MAX_ATTEMPTS);
/** A task without a priority runs after all that have one. */
export const rankOf = ({ priority }: Task): number => (priority ? PRIORITIES.indexOf(priority) : PRIORITIES.length);

/** Begins the line of the log of a task that was not tried: what it depends on keeps it back. */
export const DEPENDENCY = '[DEPENDENCY]';
export const isKeptBack = (task: Task): boolean =>
  task.status === 'failed' && (task.error_log ?? []).some((line) => line.startsWith(DEPENDENCY));
