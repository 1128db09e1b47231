// Checkpoint, rollback, restore of the work tree. The work of agents is never thrown away.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, Checkpoint, RollbackOutcome } from '../../model/action.ts';
import { keepAttempt } from '../../repos/attempts.ts';
import { takeCheckpoint } from '../../repos/checkpoint.ts';
import { showFile } from '../../repos/history.ts';
import { restoreTree } from '../../repos/restore.ts';
import { putBackAfterSession } from '../installed.ts';
import {
  rootFor,
  type RunEvents,
  type RunHost,
  type RunRepository,
  type RunSettings,
  type RunStores,
} from '../run-context.ts';
import { checkpointNow } from './newer-commits.ts';
import { writeCheckpointRecord } from '../records/checkpoints.ts';
import { sha256 } from '../../host/files.ts';
import { repeatable } from './repeatable.ts';

export const checkpoints = (
  context: RunRepository & RunSettings & RunHost,
): Performer<ActionOf<Actions, 'checkpoint'>, Checkpoint> => ({
  async perform({ session, item, why, of }, { token }) {
    const id = sha256(token).slice(0, 12);
    const ref = `refs/harness/checkpoints/${id}`;
    const message = `checkpoint before session ${session} (${why})`;
    const taken = await takeCheckpoint(context.git, { ref, message, ...(of === undefined ? {} : { of }) });
    if (!taken.ok) return { blocked: taken.failure };
    const checkpoint: Checkpoint = { id, ref, ...taken.value };
    const written = await writeCheckpointRecord(context, checkpoint, { session, item, why });
    return written.ok ? checkpoint : { blocked: written.failure };
  },
  probe: repeatable,
});

export const rollbacks = (
  context: RunRepository & RunStores & RunHost & RunEvents,
): Performer<ActionOf<Actions, 'rollback'>, RollbackOutcome> => ({
  async perform({ checkpoint, item, session, why }, { token }) {
    const kept = await keepAttempt(context.git, { item, session, why, base: checkpoint, token });
    if (!kept.ok) return { blocked: kept.failure };
    // A user's commits since are not rolled back.
    const to = await checkpointNow(context, checkpoint, { item, session, token, kept: kept.value });
    if (!to.ok) return { blocked: to.failure };
    const back = await restoreTree(context.git, to.value);
    if (!back.ok) return { blocked: back.failure };
    const installed = await putBackAfterSession(context);
    if (!installed.ok) return { blocked: installed.failure };
    context.notify({
      type: 'rolled-back',
      level: 'important',
      session,
      ...(item === null ? {} : { item }),
      data: {
        why,
        attempt: kept.value?.ref ?? null,
        installedBack: installed.value.put.length,
        installedLeft: installed.value.left.length,
      },
    });
    return { attempt: kept.value?.ref ?? null, head: back.value.head };
  },
  probe: repeatable,
});

export const restores = (
  context: RunRepository & RunSettings & RunHost,
): Performer<ActionOf<Actions, 'restore'>, { readonly restored: readonly string[] }> => ({
  async perform({ checkpoint, paths }) {
    const restored: string[] = [];
    for (const path of paths) {
      const text = await showFile(context.git, checkpoint.ref, path);
      if (!text.ok) return { blocked: text.failure };
      if (text.value === (await context.view.read(path))) continue;
      const file = `${rootFor(context, path)}/${path}`;
      if (text.value === null) context.io.remove(file, 'for-good');
      else context.io.replace(file, text.value);
      restored.push(path);
    }
    return { restored };
  },
  probe: repeatable,
});
