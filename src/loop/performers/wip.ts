// Work in progress of an item: kept on a ref of its own while the work tree goes back to the tip, and dropped when it no longer counts.
import type { ActionOf, Performer } from '../../engine/types.ts';
import { sha256 } from '../../host/files.ts';
import type { ItemId } from '../../model/item.ts';
import type { Actions } from '../../model/action.ts';
import type { DropWipOutcome, KeepWipOutcome, TakeWipOutcome } from '../../model/landing-action.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepAttempt } from '../../repos/attempts.ts';
import { takeCheckpoint } from '../../repos/checkpoint.ts';
import { treeOf } from '../../repos/tree.ts';
import { dropWip, keepWip, resumeWip } from '../../repos/wip.ts';
import { restoreTree } from '../../repos/restore.ts';
import { putBackAfterSession } from '../installed.ts';
import { asProblem } from '../nested.ts';
import type { RunContext, RunEvents, RunRepository } from '../run-context.ts';
import { checkpointNow } from './newer-commits.ts';
import { repeatable } from './repeatable.ts';
import { tellUsersFiles, usersFiles } from './users-files.ts';

export const keepsWip = (context: RunContext): Performer<ActionOf<Actions, 'keep-wip'>, KeepWipOutcome> => ({
  async perform({ item, session, subject, checkpoint, own, tree, merged = tree, reached }, { token }) {
    const mark = sha256(token).slice(0, 20);
    // What others changed since is not the work: it is kept with what lay in the work tree.
    const beside = merged === undefined ? ok(null) : await keepBeside(context, { item, session, token, tree: merged });
    if (!beside.ok) return { blocked: beside.failure };
    const theirs = await usersFiles(context, session);
    if (!theirs.ok) return { blocked: theirs.failure };
    const { users } = theirs.value;
    const to = await checkpointNow(context, checkpoint, { item, session, token });
    if (!to.ok) return { blocked: to.failure };
    const kept = await keepWip(context.git, {
      item,
      session,
      run: context.run,
      subject: subject.replace(/\s+/g, ' ').trim(),
      base: checkpoint,
      own: [...own, ...users],
      ...(tree === undefined ? {} : { tree }),
      ...(reached === undefined ? {} : { reached }),
      token: mark,
    });
    if (!kept.ok) {
      const refused = asProblem(kept.failure);
      return refused === null ? { blocked: kept.failure } : { commit: null, refused };
    }
    const back = await restoreTree(context.git, to.value, { keep: users });
    if (!back.ok) return { blocked: back.failure };
    const installed = await putBackAfterSession(context);
    if (!installed.ok) return { blocked: installed.failure };
    tellUsersFiles(context, theirs.value, { session, item, ends: 'kept' });
    return { commit: kept.value?.commit ?? null, refused: null };
  },
  probe: repeatable,
});

/** As an attempt, what is in the work tree; only where that is neither what was verified nor what is committed. */
export async function keepBeside(
  { git }: RunRepository,
  {
    item,
    session,
    token,
    tree,
  }: { readonly item: ItemId | null; readonly session: number; readonly token: string; readonly tree: string },
): Promise<Result<unknown>> {
  const now = await treeOf(git);
  if (!now.ok || now.value === tree) return now;
  const head = await takeCheckpoint(git, { ref: `refs/harness/turns/${session}`, message: 'as committed', of: 'HEAD' });
  if (!head.ok) return head;
  const base = head.value;
  return keepAttempt(git, { item, session, why: 'overtaken', base, token: `${token}#beside` });
}

export const dropsWip = (
  context: RunRepository & RunEvents,
): Performer<ActionOf<Actions, 'drop-wip'>, DropWipOutcome> => ({
  async perform({ item }) {
    const dropped = await dropWip(context.git, item);
    return dropped.ok ? { attempt: dropped.value?.ref ?? null } : { blocked: dropped.failure };
  },
  probe: repeatable,
});

/** For work that needs no agent: what was left in the work tree by a try of this action that was cut is undone first. */
export const takesWip = (
  context: RunRepository & RunEvents,
): Performer<ActionOf<Actions, 'take-wip'>, TakeWipOutcome> => ({
  async perform({ item, session, checkpoint }) {
    const { git } = context;
    const now = await treeOf(git);
    if (!now.ok) return { blocked: now.failure };
    const back = now.value === checkpoint.tree ? ok(null) : await restoreTree(git, checkpoint);
    if (!back.ok) return { blocked: back.failure };
    const resumed = await resumeWip(git, item, checkpoint);
    if (!resumed.ok) return { blocked: resumed.failure };
    if (resumed.value.is === 'set-aside') {
      const { attempt, number } = resumed.value;
      context.notify({ type: 'wip-set-aside', level: 'important', session, item, data: { attempt, number } });
    }
    return { isThere: resumed.value.is === 'resumed' };
  },
  probe: repeatable,
});
