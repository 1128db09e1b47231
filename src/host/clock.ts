// Time as a dependency: everything that asks for the time gets a Clock, so that tests and the simulator own it.

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same moment as ISO 8601 in UTC with milliseconds. */
  iso(): string;
};

export const systemClock: Clock = { now: () => Date.now(), iso: () => new Date().toISOString() };

/** Waiting as a dependency, for the same reason. Resolves early when the signal is aborted; never rejects. */
export type Sleeper = (ms: number, signal: AbortSignal) => Promise<void>;

/** A call at a later moment, for the same reason; milliseconds. What it answers takes it back. */
export type Alarm = (ms: number, ring: () => void) => () => void;

export const systemAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms);
  return () => clearTimeout(timer);
};

/** No longer than this at a time: a machine that was suspended wakes late, and a timer knows nothing of that. */
const LOOK_MS = 15_000;

export const systemSleeper: Sleeper = async (ms, signal) => {
  const until = Date.now() + ms;
  for (let left = ms; left > 0 && !signal.aborted; left = until - Date.now()) {
    const woken = Promise.withResolvers<void>();
    const timer = setTimeout(woken.resolve, Math.min(left, LOOK_MS));
    const stop = (): void => woken.resolve();
    signal.addEventListener('abort', stop, { once: true });
    await woken.promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
};
