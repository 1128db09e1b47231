// The limits of one turn as a pure rule: what was seen and the time decide whether the turn continues or which limit ends it.

export type TurnLimits = {
  /** The whole turn, in milliseconds. */
  readonly wallMs: number;
  /** Without any event of the agent, in milliseconds. */
  readonly idleMs: number;
  /** Text, thoughts and tool output together, in bytes. */
  readonly outputBytes: number;
};

export type TurnLimit = 'wall-limit' | 'idle-limit' | 'output-limit';

export type TurnProgress = { readonly startedMs: number; readonly lastMs: number; readonly bytes: number };

export const turnStarted = (nowMs: number): TurnProgress => ({ startedMs: nowMs, lastMs: nowMs, bytes: 0 });

/** After an event of the agent. A clock that is set back never makes a turn look idle. */
export const withEvent = (turn: TurnProgress, nowMs: number, bytes: number): TurnProgress => ({
  ...turn,
  lastMs: Math.max(turn.lastMs, nowMs),
  bytes: turn.bytes + bytes,
});

/** The limit that is exceeded, or in how many milliseconds (at least 1) to check again. */
export function checkLimits(
  turn: TurnProgress,
  limits: TurnLimits,
  nowMs: number,
): { over: TurnLimit } | { over: null; nextMs: number } {
  if (turn.bytes > limits.outputBytes) return { over: 'output-limit' };
  const wallLeft = turn.startedMs + limits.wallMs - nowMs;
  if (wallLeft <= 0) return { over: 'wall-limit' };
  const idleLeft = turn.lastMs + limits.idleMs - nowMs;
  if (idleLeft <= 0) return { over: 'idle-limit' };
  return { over: null, nextMs: Math.max(1, Math.min(wallLeft, idleLeft)) };
}
