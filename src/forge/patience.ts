// How long a forge is waited for: the delays of each kind of failure, with the clock and the sleep injected. Owns no request.
import type { Clock, Sleeper } from '../host/clock.ts';
import type { Failure } from '../model/failure.ts';
import type { Result } from '../model/result.ts';

export type Waiting = {
  readonly clock: Clock;
  readonly sleep: Sleeper;
  readonly signal: AbortSignal;
  /** A rate limit that ends within this time is waited for; a longer one is a failure that says when to continue. */
  readonly patienceMs: number;
};

export const PATIENCE_MS = 60_000;
/** Of a server that fails or a network that is down. */
const FAILING_MS = [1_000, 2_000, 4_000] as const;
/** Of what was just made and is not visible yet. */
const UNSEEN_MS = [500, 1_000, 2_000, 4_000] as const;
const RATE_LIMIT_TRIES = 3;

/** Whether the request may have been carried out although it failed. */
export const isUncertain = ({ reason }: Failure): boolean =>
  reason === 'forge-failing' || reason === 'forge-unreachable' || reason === 'forge-answer-unknown';

/**
 * Tries again what failed for a reason that passes. `isRepeatable`: performing it twice is the same as once; otherwise only a refusal that
 * certainly did nothing (a rate limit) is tried again.
 */
export async function patiently<T>(
  waiting: Waiting,
  isRepeatable: boolean,
  attempt: () => Promise<Result<T>>,
): Promise<Result<T>> {
  let [limited, failing] = [0, 0];
  for (;;) {
    const done = await attempt();
    if (done.ok || waiting.signal.aborted) return done;
    const { reason, params } = done.failure;
    let delay: number | undefined;
    if (reason === 'forge-rate-limited') {
      const asked = Number(params['retryAfterMs']);
      delay = asked <= waiting.patienceMs && limited < RATE_LIMIT_TRIES ? asked : undefined;
      limited += 1;
    } else if (isRepeatable && (reason === 'forge-failing' || reason === 'forge-unreachable')) {
      delay = FAILING_MS[failing];
      failing += 1;
    }
    if (delay === undefined) return done;
    await waiting.sleep(delay, waiting.signal);
  }
}

/** Looks until it is seen, a few times; null: it was not. */
export async function untilSeen<T>(
  { sleep, signal }: Waiting,
  look: () => Promise<Result<T | null>>,
): Promise<Result<T | null>> {
  for (const delay of UNSEEN_MS) {
    await sleep(delay, signal);
    const seen = await look();
    if (!seen.ok || seen.value !== null || signal.aborted) return seen;
  }
  return { ok: true, value: null };
}
