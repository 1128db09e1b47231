// What the harness itself brought into the work tree between sessions, and what did not hold: put back as it was, kept as an attempt.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint } from '../../model/action.ts';
import type { Reason } from '../../model/reasons.ts';
import type { ItemId } from '../../model/item.ts';
import { ask } from './asks.ts';

export async function putBack(
  run: Run<Actions>,
  checkpoint: Checkpoint,
  about: { readonly item: ItemId | null; readonly session: number; readonly why: Reason },
): Promise<void> {
  // A person who committed meanwhile decides what becomes of it: a rollback would take their commit off the branch.
  const { commit: head } = await ask<{ commit: string | null }>(run, 'head', {});
  if (head === checkpoint.head) await run.do('rollback', { kind: 'rollback', checkpoint, ...about });
}
