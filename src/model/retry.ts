// Retries of an agent that failed for a reason outside its work: the delays, the number of tries, and what follows. Pure. Delays
// are without jitter; the caller adds it.
import type { Failure } from './failure.ts';
import type { Reason } from './reasons.ts';

type Row = {
  /** Number of retries before `end`. */
  readonly tries: number;
  /** The first delay; it doubles up to the longest. Milliseconds. */
  readonly firstMs: number;
  readonly longestMs: number;
  /**
   * pause: the work so far is kept, and the run waits before it starts another session · keep: the work is kept and continued in
   * the next session · fail: it is rolled back like rejected work.
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

/** Longest delay of a provider that is waited for with the agent's session open. */
const LONGEST_IN_SESSION_MS = 10 * MINUTE;

/** `failures`: count of each reason since the agent last finished a turn, this one included. */
export function nextAfter(failed: Failure, failures: number): Next {
  const row = ROWS[failed.reason];
  if (row === undefined) return { next: 'fail' };
  const delay = reportedDelayMs(failed);
  if (failures > row.tries || (delay ?? 0) > LONGEST_IN_SESSION_MS) return { next: row.end };
  const delayMs = delay ?? Math.min(row.firstMs * 2 ** (failures - 1), row.longestMs);
  return { next: 'again', attempt: failures, of: row.tries, delayMs };
}

/** The delay that the provider reported, milliseconds; null: none. */
export function reportedDelayMs({ params }: Failure): number | null {
  const delay = params['retryAfterMs'];
  return typeof delay === 'number' && Number.isFinite(delay) && delay >= 0 ? delay : null;
}

const FIRST_REST_MS = 5 * MINUTE;
const LONGEST_REST_MS = 30 * MINUTE;
/** A provider's quota window resets within this time. */
const LONGEST_REPORTED_MS = 24 * 60 * MINUTE;
/** After so many waits without a successful session a user is asked: about five hours. */
export const MOST_RESTS = 12;

/** How long the run waits; `rests`: number of waits in a row, this one included. */
export function restMs(failed: Failure, rests: number): number {
  const own = Math.min(FIRST_REST_MS * 2 ** (rests - 1), LONGEST_REST_MS);
  return Math.min(Math.max(reportedDelayMs(failed) ?? 0, own), LONGEST_REPORTED_MS);
}
