// While the agent is unavailable the run backs off, longer each time, and asks a user in the end.
import { choose, end, type LoopState, type LoopStages } from '../positions.ts';
import { askUnavailable, backoffOf } from '../wants.ts';

export const waiting = {
  // Nothing can be done without the agent, but a user may fix it, or its provider's window resets.
  backoff: {
    wants: (s) => [backoffOf(s.at.n, s.at.why, s.mem.backoffs)],
    apply: (s, done) => (done.kind === 'wait' ? choose(s) : s),
  },

  unavailable: {
    wants: (s) => [askUnavailable(s.at.n, s.at.why, s.mem.backoffs)],
    apply(s, done) {
      if (done.kind !== 'ask') return s;
      const { n, why } = s.at;
      const after: LoopState = { ...s, at: { stage: 'choose', n }, mem: { ...s.mem, backoffs: 0 } };
      if (done.outcome.option === 'retry') return choose(after);
      return done.outcome.option === 'pause'
        ? end(after, 'paused', why.reason, why)
        : end(after, 'blocked', 'decided-abort');
    },
  },
} satisfies Partial<LoopStages>;
