// When everything has landed: does it still hold, now, and later, where somebody asked to have it looked after?
import { choose, end, failingOf, isMarkedInVain, type Given, type Stages } from '../positions.ts';
import type { Final } from '../run-file.ts';
import { askFalse, lookLater } from '../wants.ts';

export const finished = ({ mode }: Given) =>
  ({
    final: {
      wants: (s) => [{ kind: 'procedure', key: `final-${s.at.n}`, procedure: 'final', input: {} }],
      apply(s, done) {
        if (done.kind !== 'procedure') return s;
        const found = done.outcome.output as unknown as Final;
        const { n } = s.at;
        if (found.end === 'unready') return end(s, 'blocked', found.failure.reason, found.failure);
        if (s.mem.paused) return end(s, 'paused', 'asked');
        const isKept = (mode.maintainMs ?? null) !== null;
        if (found.end === 'holds')
          return isKept ? { ...s, at: { stage: 'maintain', n } } : end(s, 'done', 'nothing-left');
        if (isMarkedInVain(s)) return end(s, 'blocked', 'reset-without-effect');
        // Whoever looks after a project has been told what to do about it: it is the next item.
        if (isKept && found.broken.length > 0) return { ...s, at: failingOf(n, found.broken) };
        return { ...s, at: { stage: 'false-positives', n, found } };
      },
    },

    maintain: {
      wants: (s) => [lookLater(s.at.n, mode.maintainMs ?? 0)],
      apply: (s, done) => (done.kind === 'wait' ? choose(s) : s),
    },

    'false-positives': {
      wants: (s) => [askFalse(s.at.n, s.at.found)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { n, found } = s.at;
        const { option } = done.outcome;
        if (option !== 'reset') return end(s, 'blocked', `decided-${option}`);
        return found.broken.length > 0
          ? { ...s, at: failingOf(n, found.broken) }
          : end(s, 'blocked', 'decided-investigate');
      },
    },
  }) satisfies Partial<Stages>;
