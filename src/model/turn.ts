// The outcome of a turn that has no answer.
import type { TurnOutcome } from './action.ts';
import type { Failure } from './failure.ts';
import { NO_USAGE } from './usage.ts';

/** `why`: the failure; null: the turn was stopped before. */
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
