// Where a budget is used up a person is asked, before a session or after one that was cut short for it.
import { askOverspent } from '../../session/asks.ts';
import { MOST_RAISES, raiseOf } from '../../session/money.ts';
import { go, outcomeOf } from '../../session/rows.ts';
import { end, type Given, type Stages } from './moves.ts';

export const money = ({ input }: Given) =>
  ({
    overspent: {
      wants: (s) => [askOverspent(input.item, s.at.over, s.mem.raises ?? 0)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { facts, over, outcome } = s.at;
        const { option } = done.outcome;
        if (option === 'increase') return go(s, { stage: 'raise', facts, over, outcome, answer: done.outcome });
        const why = { result: option === 'abort' ? 'aborted' : 'paused', reason: 'budget-exhausted' } as const;
        return go(s, { stage: 'ended', outcome: { ...(outcome ?? outcomeOf(why)), ...why } });
      },
    },

    raise: {
      wants: (s) => [raiseOf(input, s.at, s.mem.raises ?? 0)],
      apply(s, done) {
        if (done.kind !== 'remember') return s;
        const { facts, outcome } = s.at;
        const raises = (s.mem.raises ?? 0) + 1;
        if (outcome !== null) return end(s, s.mem.paused ? { ...outcome, result: 'paused' } : outcome);
        return raises <= MOST_RAISES
          ? { ...s, at: { stage: 'prepare', facts }, mem: { ...s.mem, raises } }
          : end(s, { result: 'paused', reason: 'budget-exhausted' });
      },
    },
  }) satisfies Partial<Stages>;
