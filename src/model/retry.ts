// What is done about an agent that failed for a reason outside of its work (reference 000, Failure Taxonomy): tried again after a
// wait, up to so many times, and then. Pure. Delays are without jitter; whoever waits adds it.
import type { Failure } from './failure.ts';
import type { Reason } from './reasons.ts';

type Row = {
  /** How often it is tried again before `end`. */
  readonly tries: number;
  /** The first wait; each later one is twice as long, up to the longest. Milliseconds. */
  readonly firstMs: number;
  readonly longestMs: number;
  /**
   * pause: the work so far is kept, and the run rests before it begins another session · keep: the work is kept and gone on with in
   * the next session · fail: it is rolled back like work that does not hold.
   */
  readonly end: 'pause' | 'keep' | 'fail';
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const ROWS: { readonly [R in Reason]?: Row } = {
  'agent-rate-limited': { tries: 8, firstMs: 30 * SECOND, longestMs: 5 * MINUTE, end: 'pause' },
  'agent-overloaded': { tries: 3, firstMs: 30 * SECOND, longestMs: 30 * SECOND, end: 'pause' },
  'agent-network': { tries: 3, firstMs: 10 * SECOND, longestMs: MINUTE, end: 'pause' },
  'agent-timeout': { tries: 1, firstMs: 5 * SECOND, longestMs: 5 * SECOND, end: 'keep' },
  'agent-malformed': { tries: 1, firstMs: 5 * SECOND, longestMs: 5 * SECOND, end: 'fail' },
  'agent-crashed': { tries: 1, firstMs: 5 * SECOND, longestMs: 5 * SECOND, end: 'fail' },
  'agent-session-lost': { tries: 1, firstMs: 0, longestMs: 0, end: 'fail' },
  'agent-unknown': { tries: 2, firstMs: 10 * SECOND, longestMs: MINUTE, end: 'fail' },
};

export type Next =
  | { readonly next: 'again'; readonly attempt: number; readonly of: number; readonly delayMs: number }
  | { readonly next: 'pause' | 'keep' | 'fail' };

/** A provider that names a longer time than this is not waited for with an agent's session open. */
const LONGEST_IN_SESSION_MS = 10 * MINUTE;

/** `failures`: how often each reason came since the agent last ended a turn by itself, this time included. */
export function nextAfter(failed: Failure, failures: number): Next {
  const row = ROWS[failed.reason];
  if (row === undefined) return { next: 'fail' };
  const told = toldMs(failed);
  if (failures > row.tries || (told ?? 0) > LONGEST_IN_SESSION_MS) return { next: row.end };
  const delayMs = told ?? Math.min(row.firstMs * 2 ** (failures - 1), row.longestMs);
  return { next: 'again', attempt: failures, of: row.tries, delayMs };
}

/** The provider's own word for how long to wait, milliseconds; null: it gave none. */
export function toldMs({ params }: Failure): number | null {
  const told = params['retryAfterMs'];
  return typeof told === 'number' && Number.isFinite(told) && told >= 0 ? told : null;
}

const FIRST_REST_MS = 5 * MINUTE;
const LONGEST_REST_MS = 30 * MINUTE;
/** A window of a provider starts anew within this. */
const LONGEST_TOLD_MS = 24 * 60 * MINUTE;
/** So many rests without a session in between that got anywhere, and a person is asked: about five hours. */
export const MOST_RESTS = 12;

/** How long a whole run rests; `rests`: how often in a row, this time included. */
export function restMs(failed: Failure, rests: number): number {
  const own = Math.min(FIRST_REST_MS * 2 ** (rests - 1), LONGEST_REST_MS);
  return Math.min(Math.max(toldMs(failed) ?? 0, own), LONGEST_TOLD_MS);
}
