// The limits of one turn as a pure rule: what was seen, and the time → go on, or end it and why.

export type TurnLimits = {
  /** The whole turn, in milliseconds. */
  readonly wallMs: number;
  /** Without any event of the agent, in milliseconds. */
  readonly idleMs: number;
  /** Text, thoughts and tool output together, in bytes. */
  readonly outputBytes: number;
};
/** Node fires a longer timer at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type Limit = 'wall-limit' | 'idle-limit' | 'output-limit';

export type Watch = { readonly startedMs: number; readonly lastMs: number; readonly bytes: number };

export const startWatch = (nowMs: number): Watch => ({ startedMs: nowMs, lastMs: nowMs, bytes: 0 });

/** An event came: the agent lives. A clock that went back never makes a turn look idle. */
export const sawEvent = (watch: Watch, nowMs: number, bytes: number): Watch => ({
  ...watch,
  lastMs: Math.max(watch.lastMs, nowMs),
  bytes: watch.bytes + bytes,
});

/** The limit that is broken now, or after how many milliseconds (at least 1) it is worth asking again. */
export function judge(
  watch: Watch,
  limits: TurnLimits,
  nowMs: number,
): { over: Limit } | { over: null; nextMs: number } {
  if (watch.bytes > limits.outputBytes) return { over: 'output-limit' };
  const wallLeft = watch.startedMs + limits.wallMs - nowMs;
  if (wallLeft <= 0) return { over: 'wall-limit' };
  const idleLeft = watch.lastMs + limits.idleMs - nowMs;
  if (idleLeft <= 0) return { over: 'idle-limit' };
  return { over: null, nextMs: Math.max(1, Math.min(wallLeft, idleLeft)) };
}
