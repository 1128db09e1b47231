// Work in progress of an item: kept on a ref of its own while the work tree goes back to the tip, and dropped when it no longer counts.
import type { ActionOf, Performer } from '../../engine/types.ts';
import { sha256 } from '../../host/files.ts';
import type { Actions, DropWipOutcome, KeepWipOutcome } from '../../model/action.ts';
import { dropWip, keepWip } from '../../repos/wip.ts';
import { restoreTree } from '../../repos/restore.ts';
import { putBackAfterSession } from '../installed.ts';
import { asProblem } from '../nested.ts';
import type { RunContext, RunEvents, RunRepository } from '../run-context.ts';
import { checkpointNow } from './newer-commits.ts';
import { repeatable } from './repeatable.ts';

export const keepsWip = (context: RunContext): Performer<ActionOf<Actions, 'keep-wip'>, KeepWipOutcome> => ({
  async perform({ item, session, subject, checkpoint, own }, { token }) {
    const mark = sha256(token).slice(0, 20);
    const to = await checkpointNow(context, checkpoint, { item, session, token });
    if (!to.ok) return { blocked: to.failure };
    const kept = await keepWip(context.git, {
      item,
      session,
      run: context.run,
      subject: subject.replace(/\s+/g, ' ').trim(),
      base: to.value,
      own,
      token: mark,
    });
    if (!kept.ok) {
      const refused = asProblem(kept.failure);
      return refused === null ? { blocked: kept.failure } : { commit: null, refused };
    }
    const back = await restoreTree(context.git, to.value);
    if (!back.ok) return { blocked: back.failure };
    const installed = await putBackAfterSession(context);
    if (!installed.ok) return { blocked: installed.failure };
    return { commit: kept.value?.commit ?? null, refused: null };
  },
  probe: repeatable,
});

export const dropsWip = (
  context: RunRepository & RunEvents,
): Performer<ActionOf<Actions, 'drop-wip'>, DropWipOutcome> => ({
  async perform({ item }) {
    const dropped = await dropWip(context.git, item);
    return dropped.ok ? { attempt: dropped.value?.ref ?? null } : { blocked: dropped.failure };
  },
  probe: repeatable,
});
