// An item that is left out leaves nothing half done behind: what its sessions saved on the branch is taken back by a commit of its
// own, once everything that had passed is shown to hold without it. The work itself stays in the history.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { putBack, settleBrought } from './brought.ts';
import { baselineCheck } from './checks.ts';

/** `count`: of how many commits the work is gone; `failure`: why it stays. */
export type Unwound =
  | { readonly commit: string; readonly count: number; readonly failure: null }
  | { readonly commit: null; readonly failure: Failure };

export async function unwind(run: Run<Actions>, { item }: { readonly item: ItemId }, config: Config): Promise<Unwound> {
  const checks = baselineCheck(config);
  const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session: 0, item, why: 'pre_unwind' });
  const keep = [config.paths.backlog, config.paths.progress];
  // Others may rest on it by now, and without a suite nothing would show it.
  const isProvable = checks.length > 0;
  const undone = await run.do('unwind', { kind: 'unwind', checkpoint, item, keep, isProvable });
  const about = { checkpoint, item, session: 0 };
  if (undone.tree === null) {
    if (undone.isTouched) await putBack(run, about, undone.failure);
    return { commit: null, failure: undone.failure };
  }
  const subject = `revert(harness): #${item} is left out, its unfinished work is taken back`;
  const brought = {
    ...about,
    tree: undone.tree,
    purpose: 'unwind',
    checks,
    commit: { item, subject, unwinds: true },
    failing: { reason: 'unwind-failing', about: { item } },
    edited: failure('unwind-not-clean', { item }),
  } as const;
  const made = await settleBrought(run, brought, config);
  return made.commit === null ? made : { ...made, count: undone.count };
}
