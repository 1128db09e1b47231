// How a session was cut short, or told to come to its end: what that makes of the work.
import type { TurnOutcome, WrapUp } from '../../model/action.ts';
import type { Heard } from './conversation.ts';
import type { CutReason, Work } from './facts.ts';

const WRAPPED_UP: { readonly [W in WrapUp]: CutReason } = {
  'context-limit': 'context_limit',
  stuck: 'stuck',
  'budget-limit': 'budget',
  'quota-limit': 'provider_limit',
};

/** An agent that was told to leave a note has no room for another turn; null: it was not told. */
export const wrappedUp = ({ wrapUp }: TurnOutcome): CutReason | null => (wrapUp === null ? null : WRAPPED_UP[wrapUp]);

/** What came of a turn that did not end by itself; null: it did. */
export function cutShort({ said, outage }: Heard): Work | null {
  const { text } = said;
  if (outage?.next === 'fail') return { end: 'agent-failed', failure: outage.failure, text };
  if (outage?.next === 'pause') return { end: 'unfinished', why: 'error', failure: outage.failure, text };
  if (outage?.next === 'hand-over') return { end: 'unfinished', why: 'provider_limit', text };
  if (outage) return { end: 'unfinished', why: 'timeout', text };
  const unfinished = (why: CutReason): Work => ({ end: 'unfinished', why, text });
  switch (said.end) {
    case 'end-turn':
      return null;
    case 'output-limit':
      return { end: 'rejected', reason: 'output-limit', problems: [], regressions: [], evidence: null, text };
    case 'context-limit':
    case 'stuck':
    case 'budget-limit':
    case 'quota-limit':
      return unfinished(WRAPPED_UP[said.end]);
    case 'agent-failed':
      return unfinished('context_limit');
    case 'wall-limit':
      return unfinished('timeout');
    default:
      return unfinished('user_pause');
  }
}
