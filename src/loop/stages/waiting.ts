// While the agent cannot be had: the run rests, longer each time, and asks a person in the end.
import { choose, end, restsOf, type S, type Stages } from '../positions.ts';
import { askUnavailable, restOf } from '../wants.ts';

export const waiting = {
  // Nothing can be done without the agent, but somebody may mend it, or its provider's window begins anew.
  rest: {
    wants: (s) => [restOf(s.at.n, s.at.why, restsOf(s))],
    apply: (s, done) => (done.kind === 'wait' ? choose(s) : s),
  },

  unavailable: {
    wants: (s) => [askUnavailable(s.at.n, s.at.why, restsOf(s))],
    apply(s, done) {
      if (done.kind !== 'ask') return s;
      const { n, why } = s.at;
      const rested: S = { ...s, at: { stage: 'choose', n }, mem: { ...s.mem, rests: 0 } };
      if (done.outcome.option === 'retry') return choose(rested);
      return done.outcome.option === 'pause'
        ? end(rested, 'paused', why.reason, why)
        : end(rested, 'blocked', 'decided-abort');
    },
  },
} satisfies Partial<Stages>;
