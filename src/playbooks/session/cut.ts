// The result of a session that was cut short or asked to wrap up.
import type { TurnOutcome, WrapUp } from '../../model/action.ts';
import type { AgentReply } from './conversation.ts';
import type { CutReason, WorkResult } from './facts.ts';

const WRAPPED_UP: { readonly [W in WrapUp]: CutReason } = {
  'context-limit': 'context_limit',
  stuck: 'stuck',
  'budget-limit': 'budget',
  'quota-limit': 'provider_limit',
};

/** An agent that was asked to wrap up has no room for another turn; null: it was not asked to. */
export const wrappedUp = ({ wrapUp }: TurnOutcome): CutReason | null => (wrapUp === null ? null : WRAPPED_UP[wrapUp]);

/** The result of a turn that did not end by itself; null: it did. */
export function cutShort({ turn, outage }: AgentReply): WorkResult | null {
  const { text } = turn;
  if (outage?.next === 'fail') return { end: 'agent-failed', failure: outage.failure, text };
  if (outage?.next === 'pause') return { end: 'unfinished', why: 'error', failure: outage.failure, text };
  if (outage?.next === 'hand-over') return { end: 'unfinished', why: 'provider_limit', text };
  if (outage) return { end: 'unfinished', why: 'timeout', text };
  const unfinished = (why: CutReason): WorkResult => ({ end: 'unfinished', why, text });
  switch (turn.end) {
    case 'end-turn':
      return null;
    case 'output-limit':
      return { end: 'rejected', reason: 'output-limit', problems: [], regressions: [], evidence: null, text };
    case 'context-limit':
    case 'stuck':
    case 'budget-limit':
    case 'quota-limit':
      return unfinished(WRAPPED_UP[turn.end]);
    case 'agent-failed':
      return unfinished('context_limit');
    case 'wall-limit':
      return unfinished('timeout');
    default:
      return unfinished('user_pause');
  }
}
