// Where a budget is used up a person is asked, before a session or after one that was cut short for it.
import { askOverspent } from '../../session/asks.ts';
import { go, outcomeOf } from '../../session/rows.ts';
import { end, type Given, type Stages } from './moves.ts';

export const money = ({ input }: Given) =>
  ({
    overspent: {
      wants: (s) => [askOverspent(input.item, s.at.over, s.mem.raises ?? 0)],
      apply(s, done) {
        if (done.kind !== 'ask') return s;
        const { over, outcome } = s.at;
        const { option } = done.outcome;
        if (option === 'increase') return go(s, { stage: 'raise', over, outcome, answer: done.outcome });
        const why = { result: option === 'abort' ? 'aborted' : 'paused', reason: 'budget-exhausted' } as const;
        return go(s, { stage: 'ended', outcome: { ...(outcome ?? outcomeOf(why)), ...why } });
      },
    },

    // As much again: written down before anything is spent of it.
    raise: {
      wants: (s) => [
        {
          kind: 'remember',
          key: `raise-${s.at.over.scope}-${s.mem.raises ?? 0}`,
          what: 'budget',
          session: input.session,
          input: {
            scope: s.at.over.scope,
            item: s.at.over.scope === 'project' ? null : input.item,
            usd: Math.max(0, s.at.over.spentUsd - s.at.over.limitUsd) + s.at.over.baseUsd,
            from: s.at.over.limitUsd,
            by: s.at.answer.by,
            at: s.at.answer.at,
          },
        },
      ],
      apply(s, done) {
        if (done.kind !== 'remember') return s;
        const { outcome } = s.at;
        // Each of the three budgets may be used up, each once: what was allowed leaves as much as the whole limit.
        const raises = (s.mem.raises ?? 0) + 1;
        if (outcome === null && raises <= 3) return { ...s, at: { stage: 'preflight' }, mem: { ...s.mem, raises } };
        if (outcome === null) return end(s, { result: 'paused', reason: 'budget-exhausted' });
        return end(s, s.mem.paused ? { ...outcome, result: 'paused' } : outcome);
      },
    },
  }) satisfies Partial<Stages>;
