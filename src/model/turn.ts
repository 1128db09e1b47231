// Turns without an answer, as they stand beside those that have one.
import type { TurnOutcome } from './action.ts';
import type { Failure } from './failure.ts';
import { NO_USAGE } from './usage.ts';

/** Nothing was said: this is why, or (null) somebody ended the turn before. */
export const lostTurn = (why: Failure | null): TurnOutcome => ({
  end: why === null ? 'aborted' : 'agent-failed',
  failure: why,
  text: '',
  resume: null,
  usage: NO_USAGE,
  toolCalls: 0,
  ms: 0,
  wrapUp: null,
});
