// Between two items: the agent is unavailable, or everything has landed.
import { procedureAction } from '../../engine/definitions.ts';
import {
  areFlagsInVain,
  choose,
  end,
  flagFailing,
  type LoopContext,
  type LoopStages,
  type LoopState,
} from '../positions.ts';
import { askFalsePositives, askUnavailable, backoffOf, lookLater } from '../wants.ts';

/** While the agent is unavailable the run backs off, longer each time, and finally asks a user. */
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

/** Every item has landed: does the whole still hold? In maintenance this is repeated. */
export const finished = ({ mode, machine }: LoopContext) =>
  ({
    final: {
      wants: (s) => [procedureAction(machine.final, {}, `final-${s.at.n}`)],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const found = machine.final.output.parse(done.outcome.output);
        const { n } = s.at;
        if (found.end === 'unready') return end(s, 'blocked', found.failure.reason, found.failure);
        if (s.mem.paused) return end(s, 'paused', 'asked');
        const isMaintained = (mode.maintainMs ?? null) !== null;
        if (found.end === 'holds')
          return isMaintained ? { ...s, at: { stage: 'maintain', n } } : end(s, 'done', 'nothing-left');
        if (areFlagsInVain(s)) return end(s, 'blocked', 'reset-without-effect');
        // Maintenance does not ask: the broken item is the next one.
        if (isMaintained && found.broken.length > 0) return { ...s, at: flagFailing(n, found.broken) };
        return { ...s, at: { stage: 'false-positives', n, found } };
      },
    },

    maintain: {
      wants: (s) => [lookLater(s.at.n, mode.maintainMs ?? 0)],
      apply: (s, done) => (done.kind === 'wait' ? choose(s) : s),
    },

    'false-positives': {
      wants: (s) => [askFalsePositives(s.at.n, s.at.found)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { n, found } = s.at;
        const { option } = done.outcome;
        if (option !== 'reset') return end(s, 'blocked', `decided-${option}`);
        return found.broken.length > 0
          ? { ...s, at: flagFailing(n, found.broken) }
          : end(s, 'blocked', 'decided-investigate');
      },
    },
  }) satisfies Partial<LoopStages>;
