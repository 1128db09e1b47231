// How long things stay. What was rolled back: the newest ones always, and everything that is young. Logs: by level.
import type { EventLevel } from './event.ts';

/** Kept are the `newest` of a group whatever their age, and every one younger than `days`. */
export type Retention = { readonly newest: number; readonly days: number };

/** Attempts, of each item. */
export const ATTEMPTS_KEPT: Retention = { newest: 20, days: 90 };
/** Checkpoints, of each item (reference 000, Rollback Granularity, Checkpoint Retention). */
export const CHECKPOINTS_KEPT: Retention = { newest: 5, days: 7 };
/** The tree before the last turn of each session: only a session that was cut needs it. */
export const TURNS_KEPT: Retention = { newest: 20, days: 7 };
/** Folders of repositories that an agent made inside the repository. */
export const INNER_KEPT: Retention = { newest: 5, days: 30 };

/** Lines of logs, in days (reference 000, Event Levels). */
export const LOGS_KEPT: { readonly [level in EventLevel]: number } = {
  critical: Number.POSITIVE_INFINITY,
  important: 90,
  routine: 30,
  debug: 7,
};

/** Those of one group that may go. `atMs` is NaN where nobody knows: such a one stays. Order of the result is that of the input. */
export function outlived<T extends { readonly atMs: number }>(
  group: readonly T[],
  rule: Retention,
  nowMs: number,
): readonly T[] {
  const dated = group.filter((one) => !Number.isNaN(one.atMs));
  const newest = new Set(dated.sort((a, b) => b.atMs - a.atMs).slice(0, rule.newest));
  return group.filter((one) => !newest.has(one) && nowMs - one.atMs > rule.days * 86_400_000);
}
