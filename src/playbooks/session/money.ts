// A budget that a person raised: as much again, written down before anything is spent of it.
import type { ActionOf } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { GateAnswer } from '../../model/gate.ts';
import type { Overspent } from './facts.ts';

/** Each of the three budgets may be used up, each once: what was allowed leaves as much as the whole limit. */
export const MOST_RAISES = 3;

/** `raises`: how many came before, in this life of the machine. */
export const raiseOf = (
  { item, session }: { readonly item: string; readonly session: number },
  { over, answer }: { readonly over: Overspent; readonly answer: GateAnswer },
  raises: number,
): ActionOf<Actions, 'remember'> => ({
  kind: 'remember',
  key: `raise-${over.scope}-${raises}`,
  what: 'budget',
  session,
  input: {
    scope: over.scope,
    item: over.scope === 'project' ? null : item,
    usd: Math.max(0, over.spentUsd - over.limitUsd) + over.baseUsd,
    from: over.limitUsd,
    by: answer.by,
    at: answer.at,
  },
});
