// Checkpoint, rollback, restore of the work tree. The work of agents is never thrown away.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, RollbackOutcome } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepListEdit } from '../list-edits.ts';
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
import { noteTakenBack } from './cut-turn.ts';
import { checkpointNow } from './newer-commits.ts';
import { writeCheckpointRecord } from '../records/checkpoints.ts';
import { sha256 } from '../../host/files.ts';
import { repeatable } from './repeatable.ts';
import { tellUsersFiles, usersFiles } from './users-files.ts';

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
  isJudging: true,
});

export const rollbacks = (
  context: RunRepository & RunSettings & RunStores & RunHost & RunEvents,
): Performer<ActionOf<Actions, 'rollback'>, RollbackOutcome> => ({
  async perform({ checkpoint, item, session, why }, { token }) {
    const edited = await keepEditOf(context, checkpoint, { item, session });
    if (!edited.ok) return { blocked: edited.failure };
    const theirs = await usersFiles(context, session);
    if (!theirs.ok) return { blocked: theirs.failure };
    const { users } = theirs.value;
    const kept = await keepAttempt(context.git, { item, session, why, base: checkpoint, token, without: users });
    if (!kept.ok) return { blocked: kept.failure };
    // A user's commits since are not rolled back.
    const to = await checkpointNow(context, checkpoint, { item, session, token, kept: kept.value });
    if (!to.ok) return { blocked: to.failure };
    const back = await restoreTree(context.git, to.value, { keep: users });
    if (!back.ok) return { blocked: back.failure };
    const installed = await putBackAfterSession(context);
    if (!installed.ok) return { blocked: installed.failure };
    const ended = item === null && session !== null ? context.sessions.pointer(session) : null;
    if (ended !== null) noteTakenBack(context, ended.folder, kept.value?.ref ?? null);
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
    tellUsersFiles(context, theirs.value, { session, item, ends: 'kept' });
    return { attempt: kept.value?.ref ?? null, head: back.value.head };
  },
  probe: repeatable,
});

/** In the user's own work tree they may have edited the list while the agent claimed in it. */
async function keepEditOf(
  context: RunRepository & RunSettings & RunHost & RunEvents,
  { ref }: Checkpoint,
  about: { readonly item: string | null; readonly session: number | null },
): Promise<Result<null>> {
  const { backlog: path } = context.config.paths;
  if (context.git.lands !== null || context.backlog.claim === undefined) return ok(null);
  const [before, now] = [await showFile(context.git, ref, path), await context.view.read(path)];
  if (!before.ok) return before;
  if (before.value !== null && now !== null && now !== before.value)
    keepListEdit(context, { ...about, before: before.value, now });
  return ok(null);
}

export const restores = (
  context: RunRepository & RunSettings & RunHost & RunEvents,
): Performer<ActionOf<Actions, 'restore'>, { readonly restored: readonly string[] }> => ({
  async perform({ checkpoint, paths }) {
    const restored: string[] = [];
    const isList = paths.includes(context.config.paths.backlog);
    const edited = isList ? await keepEditOf(context, checkpoint, { item: null, session: null }) : ok(null);
    if (!edited.ok) return { blocked: edited.failure };
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
