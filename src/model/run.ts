// What a run is asked for, and how it can end.
import type { ItemId } from './item.ts';

export type RunMode = {
  /** False: only what people asked for is applied, no item is worked. */
  readonly work: boolean;
  readonly only: ItemId | null;
  readonly untilDone: boolean;
  readonly maxSessions: number | null;
  readonly maxItems: number | null;
};

export type RunResult = 'landed' | 'partial' | 'failed' | 'rejected' | 'gate' | 'done' | 'limit' | 'paused' | 'blocked';
