// A budget that is used up: a user allows as much again, or the work stops.
import type { ActionOf, Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Overspent } from '../../model/budget.ts';
import type { GateAnswer } from '../../model/gate.ts';
import { answerTo, askOverspent } from './questions.ts';

/** Each of the three budgets may be used up once: what was allowed leaves as much as the whole limit. */
export const MOST_RAISES = 3;

/** Records the raise before anything of it is spent. `raises`: how many came before, in this session. */
export const raiseAction = (
  { item, session }: { readonly item: string; readonly session: number },
  { scope, spentUsd, limitUsd, baseUsd }: Overspent,
  { by, at }: GateAnswer,
  raises: number,
): ActionOf<Actions, 'remember'> => ({
  kind: 'remember',
  key: `raise-${scope}-${raises}`,
  what: 'budget',
  session,
  raise: {
    scope,
    item: scope === 'project' ? null : item,
    usd: Math.max(0, spentUsd - limitUsd) + baseUsd,
    from: limitUsd,
    by,
    at,
  },
});

/** null: allowed, and recorded. Otherwise how the item's session ends. */
export async function askForMore(
  run: Run<Actions>,
  about: { readonly item: string; readonly session: number },
  over: Overspent,
  raises = 0,
): Promise<{ readonly result: 'paused' | 'aborted'; readonly reason: string } | null> {
  const denied = (result: 'paused' | 'aborted') => ({ result, reason: 'budget-exhausted' });
  const answer = await answerTo(run, askOverspent(about.item, over, raises));
  if (answer.option !== 'increase') return denied(answer.option === 'abort' ? 'aborted' : 'paused');
  const { key, ...raise } = raiseAction(about, over, answer, raises);
  await run.uninterrupted(() => run.do(key, raise));
  return raises < MOST_RAISES ? null : denied('paused');
}
