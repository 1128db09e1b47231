// What the tasks machine knows of its task beside what every machine knows of an item. Data only.
import type { ItemFacts } from '../session/facts.ts';
import type { Category } from './log.ts';
import type { TaskCheckpoint, TaskStatus } from './schema.ts';

export type TaskFacts = ItemFacts & {
  readonly task: {
    readonly status: TaskStatus;
    readonly attempts: number;
    readonly maxAttempts: number;
    readonly errorLog: readonly string[];
    readonly checkpoints: readonly TaskCheckpoint[];
    /** `started_at_commit`, where it says one. */
    readonly base: string | null;
    readonly cleanup: string | null;
    /** N of SESSION-N in the log: which run of the harness this is. */
    readonly run: number;
  };
};

/** Why an attempt failed, as log and error_log say it. */
export type TaskError = { readonly category: Category; readonly message: string };
