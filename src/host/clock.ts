// Time as a dependency: everything that asks for the time gets a Clock, so that tests and the simulator own it.

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same moment as ISO 8601 in UTC with milliseconds. */
  iso(): string;
};

export const systemClock: Clock = { now: () => Date.now(), iso: () => new Date().toISOString() };
