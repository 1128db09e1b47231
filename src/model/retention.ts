// How long data is kept. Rolled-back work: the newest ones always, and everything recent. Logs: by level.
import type { EventLevel } from './event.ts';

/** The `newest` of a group are kept regardless of age, and all that are younger than `days`. */
export type Retention = { readonly newest: number; readonly days: number };

/** Attempts, of each item. */
export const ATTEMPTS_KEPT: Retention = { newest: 20, days: 90 };
/** Checkpoints, of each item. */
export const CHECKPOINTS_KEPT: Retention = { newest: 5, days: 7 };
/** The tree before the last turn of each session: only an interrupted session needs it. */
export const TURNS_KEPT: Retention = { newest: 20, days: 7 };
/** Folders of repositories that an agent made inside the repository. */
export const INNER_KEPT: Retention = { newest: 5, days: 30 };

/** Home folders of sessions that have ended, with what the agents' programs keep for themselves. */
export const HOMES_KEPT: Retention = { newest: 20, days: 30 };

/** What was said in sessions that have ended, call by call, and their prompts, in both places where they are. */
export const TRANSCRIPTS_KEPT: Retention = { newest: 100, days: 90 };

/** Lines of logs, in days. */
export const LOGS_KEPT: { readonly [level in EventLevel]: number } = {
  critical: Number.POSITIVE_INFINITY,
  important: 90,
  routine: 30,
  debug: 7,
};

/** The members of one group that may be deleted, in input order. One whose `atMs` is NaN (unknown) is kept. */
export function outlived<T extends { readonly atMs: number }>(
  group: readonly T[],
  rule: Retention,
  nowMs: number,
): readonly T[] {
  const dated = group.filter((one) => !Number.isNaN(one.atMs));
  const newest = new Set(dated.sort((a, b) => b.atMs - a.atMs).slice(0, rule.newest));
  return group.filter((one) => !newest.has(one) && nowMs - one.atMs > rule.days * 86_400_000);
}
