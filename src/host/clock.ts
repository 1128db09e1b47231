// Time as a dependency: code that needs the time, a timer or a pause takes one of these, so that tests and the simulator control it.

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same moment as ISO 8601 in UTC with milliseconds. */
  iso(): string;
};

export const systemClock: Clock = { now: () => Date.now(), iso: () => new Date().toISOString() };

/** Node fires a timer with a longer delay at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `ring` after `ms` milliseconds. The returned function cancels it. */
export type Alarm = (ms: number, ring: () => void) => () => void;

export const systemAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms);
  return () => clearTimeout(timer);
};

/** Waits. Resolves early when the signal is aborted; never rejects. */
export type Sleeper = (ms: number, signal: AbortSignal) => Promise<void>;

/** The longest single timer of a sleep: a timer does not count the time that the machine was suspended, so the clock is read again. */
const MAX_STEP_MS = 15_000;

export const systemSleeper: Sleeper = async (ms, signal) => {
  const until = Date.now() + ms;
  for (let left = ms; left > 0 && !signal.aborted; left = until - Date.now()) {
    const woken = Promise.withResolvers<void>();
    const timer = setTimeout(woken.resolve, Math.min(left, MAX_STEP_MS));
    const stop = (): void => woken.resolve();
    signal.addEventListener('abort', stop, { once: true });
    await woken.promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
};

/** Waits until the promise settles, at the latest until the signal. Never rejects. */
export async function settledOrAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const aborted = Promise.withResolvers<void>();
  const stop = (): void => aborted.resolve();
  signal.addEventListener('abort', stop);
  await Promise.race([promise, aborted.promise]).catch(() => undefined);
  signal.removeEventListener('abort', stop);
}

/** Whether the promise settles within this many milliseconds. Never rejects. */
export async function settlesWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(late.resolve, ms, false);
  const settled = promise.then(
    () => true,
    () => true,
  );
  const isSettled = await Promise.race([settled, late.promise]);
  clearTimeout(timer);
  return isSettled;
}
