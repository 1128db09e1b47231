// A durable wait, as an action asks for it.
import type { ItemId } from './item.ts';
import type { Reason } from './reasons.ts';

/** Waits, usually for a provider. The end of the wait is durable: a later process waits until the same time. */
export type WaitAsk = {
  readonly why: Reason | 'maintenance';
  /** Number of this wait, of at most so many for this reason. */
  readonly attempt: number;
  readonly of: number;
  /** Milliseconds; up to a fifth is added as jitter. */
  readonly delayMs: number;
  readonly item: ItemId | null;
  readonly session: number | null;
};
/** ISO 8601. */
export type WaitOutcome = { readonly until: string };
