// A conversation with an agent: each message is sent until it is answered. Outages are waited for and the message is sent again, as often as
// their rule says (src/model/retry.ts). Each try is a turn of its own. Also the result of a
// session that was cut short or asked to wrap up.
import type { Run } from '../../engine/types.ts';
import type { Actions, Say, SessionAsk, TurnOutcome, WrapUp } from '../../model/action.ts';
import type { ChooseAgentAsk, ChooseAgentOutcome } from '../../model/choose-agent.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { nextAfter } from '../../model/retry.ts';
import { lostTurn } from '../../model/turn.ts';
import type { CutReason, WorkResult } from './facts.ts';

export type Conversation = {
  readonly who: Omit<SessionAsk, 'turn' | 'say' | 'resume' | 'agent'>;
  /** The first message of a session that knows nothing. */
  readonly opening: Say;
  readonly config: Config;
  /** Which agent of the role; left out: it is chosen. */
  readonly agent?: number;
};
export type AgentReply = {
  readonly turn: TurnOutcome;
  /** Steps that deal with the answer belong to its turn. */
  readonly step: Run<Actions>;
  /**
   * There was no answer: why, and what to do about the work so far; `hand-over`: another agent can continue it. null: the turn ended by
   * itself or by a limit.
   */
  readonly outage: null | { readonly failure: Failure; readonly next: 'pause' | 'hand-over' | 'keep' | 'fail' };
};

/** Answers a function that sends one message. Every message goes to the agent that answered the first, in the same provider session. */
export function converse(
  run: Run<Actions>,
  { who, opening, config, agent: given }: Conversation,
): (message: Say) => Promise<AgentReply> {
  const { role, item, session } = who;
  const choose = (step: Run<Actions>, refused: ChooseAgentAsk['refused']): Promise<ChooseAgentOutcome> =>
    step.do('agent', { kind: 'choose-agent', role, item, session, refused });
  let agent: number | null = given ?? null;
  let turns = 0;
  let hasAnswered = false;
  let resume: string | null = null;
  return async (message) => {
    if (agent === null) {
      const chosen = await choose(run, null);
      const { wall } = chosen;
      if (wall !== null) return { turn: lostTurn(wall), step: run, outage: { failure: wall, next: 'pause' } };
      ({ agent } = chosen);
    }
    let say = message;
    const outages: { [R in Reason]?: number } = {};
    for (;;) {
      turns += 1;
      const step = run.scope(`turn-${turns}`);
      const ask = { kind: 'session', ...who, agent, turn: turns, say, resume } as const;
      const turn: TurnOutcome = await step.do('session', ask);
      resume = turn.resume;
      const outage = outageOf(turn, config);
      hasAnswered ||= outage === null || turn.toolCalls > 0 || turn.text.trim() !== '';
      if (outage === null) return { turn, step, outage };
      const failures = (outages[outage.reason] ?? 0) + 1;
      outages[outage.reason] = failures;
      const next = nextAfter(outage, failures);
      // A substitute that cannot log in says nothing about the role's own agent.
      if (next.next === 'pause' || (agent > 0 && outage.policy === 'needs-human')) {
        const other = await choose(step, { agent, failure: outage });
        const isFree = other.wall === null && other.agent !== agent;
        return { turn, step, outage: { failure: outage, next: isFree ? 'hand-over' : 'pause' } };
      }
      if (next.next !== 'again') {
        // An agent that ends before its first answer does not run here: no item is to blame, and a user has to look.
        const isBroken = next.next === 'fail' && !hasAnswered && outage.policy === 'retry';
        const why = isBroken ? { ...outage, policy: 'needs-human' as const } : outage;
        return { turn, step, outage: { failure: why, next: next.next } };
      }
      const { attempt, of, delayMs } = next;
      await step.do('wait', { kind: 'wait', why: outage.reason, attempt, of, delayMs, item, session });
      // Without its session the agent knows nothing of the conversation: it starts from scratch, on the tree as it is.
      if (outage.reason === 'agent-session-lost') resume = null;
      say = resume === null ? opening : { kind: 'again', why: outage.reason };
    }
  };
}

/** What kept the agent from working, as far as it was not the work; null: nothing did. An idle turn is an answer that never came. */
function outageOf(turn: TurnOutcome, config: Config): Failure | null {
  if (turn.end === 'idle-limit') return failure('agent-timeout', { limitMs: config.session.idleSeconds * 1_000 });
  if (turn.end !== 'agent-failed') return null;
  const why = turn.failure ?? failure('agent-unknown');
  // A full context is a limit, not a fault: its work is kept and continued.
  return why.reason === 'agent-context-full' ? null : why;
}

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
