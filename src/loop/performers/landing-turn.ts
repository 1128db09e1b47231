// The turn to land before the proof: with the turn nothing overtakes the work, so it is merged with the newest commit first, and proved once, as it will
// land. Nothing is written: where that proof fails, the work is proved by itself, as if nothing had been tried.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { TakeTurnAsk, TakeTurnOutcome } from '../../model/landing-action.ts';
import type { MergedWork } from '../../model/merged-work.ts';
import { ok, type Result } from '../../model/result.ts';
import type { ObjectId } from '../../repos/git.ts';
import { treeOnto } from '../../repos/checkpoint-onto.ts';
import { tipOf } from '../../repos/follow.ts';
import { adoptBaselineAt } from '../records/baseline.ts';
import type { RunContext } from '../run-context.ts';
import { workOn } from './bring.ts';
import { repeatable } from './repeatable.ts';
import { workOf } from './users-files.ts';

const NO_TURN: TakeTurnOutcome = { has: false, newest: null };

export const takesTurns = (context: RunContext): Performer<ActionOf<Actions, 'take-turn'>, TakeTurnOutcome> => ({
  async perform(ask, { signal }) {
    const { item } = ask;
    const { lanes } = context;
    if (lanes === null || item === null) return NO_TURN;
    // Before the turn: while an item has it, all the others wait.
    const work = await workOf(context, ask.session);
    if (!work.ok || !(await lanes.tryTurn(item, signal))) return NO_TURN;
    const merged = await onNewest(context, ask, work.value);
    if (merged.ok && merged.value !== 'conflict') return { has: true, newest: merged.value };
    // The landing reports a conflict. Where nothing can be read, the proof says so.
    lanes.endTurn(item);
    return NO_TURN;
  },
  probe: repeatable,
});

/** null: there is no newer commit. */
async function onNewest(
  context: RunContext,
  { checkpoint, own }: TakeTurnAsk,
  work: ObjectId,
): Promise<Result<MergedWork | null | 'conflict'>> {
  const { git } = context;
  const tip = git.lands === null ? ok(null) : await tipOf(git);
  if (!tip.ok) return tip;
  if (tip.value === null) return ok(null);
  if (tip.value === checkpoint.head) {
    // It may have come to this commit just before the baseline of its landing was known.
    const adopted = await adoptBaselineAt(context, tip.value);
    return adopted.ok ? ok(null) : adopted;
  }
  const base = await treeOnto(git, checkpoint, tip.value);
  if (!base.ok) return base;
  const merged = await workOn(git, { work, base: checkpoint.tree, onto: base.value, own });
  if (!merged.ok) return merged;
  if ('conflicts' in merged.value) return ok('conflict');
  const adopted = await adoptBaselineAt(context, tip.value);
  return adopted.ok ? ok({ tree: merged.value.tree, base: base.value, work }) : adopted;
}

export const givesTurns = (
  context: RunContext,
): Performer<ActionOf<Actions, 'give-turn'>, { readonly has: false }> => ({
  async perform({ item, checkpoint }) {
    if (item !== null) context.lanes?.endTurn(item);
    const adopted = await adoptBaselineAt(context, checkpoint.head);
    return adopted.ok ? { has: false } : { blocked: adopted.failure };
  },
  probe: repeatable,
});
