// What a run is asked for, and how it can end.
import type { ItemId } from './item.ts';

export type RunMode = {
  /** False: only queued requests of users are applied, no item is worked on. */
  readonly work: boolean;
  readonly only: ItemId | null;
  readonly untilDone: boolean;
  readonly maxSessions: number | null;
  readonly maxItems: number | null;
  /** After everything has landed, interval between maintenance checks in milliseconds. null: the run ends instead. */
  readonly maintainMs?: number | null;
  /** No user can be asked in this run: soft questions are decided as recommended. */
  readonly isAlone?: boolean;
  /** The list is brought up to date, and no item is begun. */
  readonly onlyLooks?: boolean;
  /** The user accepts a long run on a machine without a sandbox. */
  readonly acceptUnsandboxed?: boolean;
};

export const RUN_RESULTS = [
  'landed',
  'partial',
  'failed',
  'rejected',
  'gate',
  'done',
  'limit',
  'paused',
  'blocked',
] as const;
export type RunResult = (typeof RUN_RESULTS)[number];
