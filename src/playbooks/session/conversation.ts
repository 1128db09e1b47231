// One thing said to an agent and answered, whatever keeps it from answering: outages are waited for and the word is given again,
// as often as their rule says (src/model/retry.ts). Each try is a turn of its own.
import type { Run } from '../../engine/types.ts';
import type { Actions, ChooseAgentAsk, ChooseAgentOutcome, Say, SessionAsk, TurnOutcome } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { nextAfter } from '../../model/retry.ts';
import { lostTurn } from '../../model/turn.ts';

export type Talk = {
  readonly who: Omit<SessionAsk, 'turn' | 'say' | 'resume' | 'agent'>;
  /** What a session that knows nothing is told. */
  readonly opening: Say;
  readonly config: Config;
};
export type Heard = {
  readonly said: TurnOutcome;
  /** What is done about the answer belongs to its turn. */
  readonly step: Run<Actions>;
  /**
   * There was no answer: why, and what is to be done about the work so far; `hand-over`: another agent can go on with it. null: it
   * ended by itself or by a limit.
   */
  readonly outage: null | { readonly failure: Failure; readonly next: 'pause' | 'hand-over' | 'keep' | 'fail' };
};

/** Each word goes on where the last answer ended. Whoever gave the first answer gives them all. */
export function converse(run: Run<Actions>, { who, opening, config }: Talk): (word: Say) => Promise<Heard> {
  const { role, item, session } = who;
  const choose = (step: Run<Actions>, refused: ChooseAgentAsk['refused']): Promise<ChooseAgentOutcome> =>
    step.do('agent', { kind: 'choose-agent', role, item, session, refused });
  let agent: number | null = null;
  let turn = 0;
  let resume: string | null = null;
  return async (word) => {
    if (agent === null) {
      const chosen = await choose(run, null);
      const { wall } = chosen;
      if (wall !== null) return { said: lostTurn(wall), step: run, outage: { failure: wall, next: 'pause' } };
      ({ agent } = chosen);
    }
    let say = word;
    const outages: { [R in Reason]?: number } = {};
    for (;;) {
      turn += 1;
      const step = run.scope(`turn-${turn}`);
      const said: TurnOutcome = await step.do('session', { kind: 'session', ...who, agent, turn, say, resume });
      resume = said.resume;
      const outage = outageOf(said, config);
      if (outage === null) return { said, step, outage };
      const failures = (outages[outage.reason] ?? 0) + 1;
      outages[outage.reason] = failures;
      const next = nextAfter(outage, failures);
      // Whoever stands in and cannot log in has not done the run's own agent any harm.
      if (next.next === 'pause' || (agent > 0 && outage.policy === 'needs-human')) {
        const other = await choose(step, { agent, failure: outage });
        const isFree = other.wall === null && other.agent !== agent;
        return { said, step, outage: { failure: outage, next: isFree ? 'hand-over' : 'pause' } };
      }
      if (next.next !== 'again') return { said, step, outage: { failure: outage, next: next.next } };
      const { attempt, of, delayMs } = next;
      await step.do('wait', { kind: 'wait', why: outage.reason, attempt, of, delayMs, item, session });
      // Without its session the agent knows nothing of what was said: it begins anew, on the tree as it is.
      if (outage.reason === 'agent-session-lost') resume = null;
      say = resume === null ? opening : { kind: 'again', why: outage.reason };
    }
  };
}

/** What kept the agent from working, as far as it was not the work; null: nothing did. Silence is an answer that never came. */
function outageOf(said: TurnOutcome, config: Config): Failure | null {
  if (said.end === 'idle-limit') return failure('agent-timeout', { limitMs: config.session.idleSeconds * 1_000 });
  if (said.end !== 'agent-failed') return null;
  const why = said.failure ?? failure('agent-unknown');
  // A full context is a limit, not a fault: its work is kept and continued (reference 000, Context Management, hard stop).
  return why.reason === 'agent-context-full' ? null : why;
}
