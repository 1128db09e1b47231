// What a run is asked for, and how it can end.
import type { ItemId } from './item.ts';

export type RunMode = {
  /** False: only what people asked for is applied, no item is worked. */
  readonly work: boolean;
  readonly only: ItemId | null;
  readonly untilDone: boolean;
  readonly maxSessions: number | null;
  readonly maxItems: number | null;
  /** Once everything has landed it looks after the project: a look each so many milliseconds. null: then it ends. */
  readonly maintainMs?: number | null;
  /** Nobody can be asked in this run: what is no hard question is decided as recommended. */
  readonly isAlone?: boolean;
  /** A person wants it to go on for hours even where this machine has no box for what agents wrote. */
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
