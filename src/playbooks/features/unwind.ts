// An item that is left out leaves nothing half done behind: what its sessions saved on the branch is taken back by a commit of its
// own, once everything that had passed is shown to hold without it. The work itself stays in the history.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { baselineCheck } from './checks.ts';
import { evidenceLine, takenFrom } from './entries.ts';
import { baselineFailing, environment } from './preflight.ts';
import { putBack } from './put-back.ts';

export type Unwound =
  | { readonly commit: string; readonly count: number; readonly failure: null }
  | { readonly commit: null; readonly failure: Failure };

export async function unwind(run: Run<Actions>, { item }: { readonly item: ItemId }, config: Config): Promise<Unwound> {
  const checks = baselineCheck(config);
  const refused = (why: Failure): Unwound => ({ commit: null, failure: why });
  const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session: 0, item, why: 'pre_unwind' });
  const keep = [config.paths.features, config.paths.progress];
  // Others may rest on it by now, and without a suite nothing would show it.
  const isProvable = checks.length > 0;
  const undone = await run.do('unwind', { kind: 'unwind', checkpoint, item, keep, isProvable });
  const back = async (why: Failure): Promise<Unwound> => {
    await putBack(run, checkpoint, { item, session: 0, why: why.reason });
    return refused(why);
  };
  if (undone.tree === null) return undone.isTouched ? back(undone.failure) : refused(undone.failure);
  // What was installed for it may have to go first.
  const unready = await environment(run, config);
  if (unready !== null) return back(failing(item, unready));
  const verdict = await run.do('check', { kind: 'check', purpose: 'unwind', session: null, checks });
  if (!verdict.holds || verdict.tampering.length > 0) return back(failing(item, baselineFailing(verdict)));
  const { tree } = undone;
  if (verdict.tree !== tree) return back(failure('unwind-not-clean', { item })); // somebody edits it
  const made = await run.do('commit', {
    kind: 'commit',
    style: 'plain',
    item,
    session: 0,
    subject: `revert(harness): #${item} is left out, its unfinished work is taken back`,
    body: evidenceLine(verdict),
    tree,
    only: null,
    checkpoint: null,
    edit: null,
    unwinds: true,
  });
  if (made.commit === null) return back(failure('unwind-not-clean', { item }));
  const taken = takenFrom(verdict, made.tree);
  if (taken !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session: 0, input: taken });
  return { commit: made.commit, count: undone.count, failure: null };
}

/** With the command that failed, the tests where they are known, and what it printed. */
const failing = (item: ItemId, { params }: Failure): Failure => failure('unwind-failing', { ...params, item });
