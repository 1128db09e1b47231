// One item held by a person, or given back: its session ends with its work kept, and no run chooses it. Everything else continues.
import { dropHold, holdOf, keepHold, settleHolds, type Hold } from '../../loop/holds.ts';
import { keepMessage } from '../../loop/item-messages.ts';
import { failure } from '../../model/failure.ts';
import type { ItemId, Subject } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { readHead } from '../../repos/head.ts';
import { findWip } from '../../repos/wip.ts';
import { findToDecide } from '../backlog/find-item.ts';
import { userNameOf } from '../backlog/changes.ts';
import { newMessageId } from '../list/inbox.ts';
import { NO_WATCHER } from '../open/run-context.ts';
import { withRunLock } from '../open/run-lock.ts';
import { runName } from '../open/run-name.ts';
import type { Target } from '../open/target.ts';
import { unfinishedSessions, waitingFor } from '../open/unfinished-sessions.ts';
import { sendToRun, type Worker } from './steer.ts';

export type Held = {
  readonly subject: Subject;
  readonly as: Hold['as'];
  readonly worker: Worker | null;
  readonly taken: boolean;
  /** Its session ends first: the run under way, or the next one, does what was asked. */
  readonly isEnding: boolean;
  /** There was work of it to take back or to keep. */
  readonly hadWork: boolean;
  /** The ref of its work in progress; null: none, or it is not kept yet. */
  readonly work: string | null;
};

/** Fails with `landed-already` where there is nothing to hold, and with `session-at-gate` where the item waits for an answer. */
export async function holdItem(target: Target, word: string, as: Hold['as'], command: string): Promise<Result<Held>> {
  const found = await findToDecide(target, word);
  if (!found.ok) return found;
  const subject = found.value;
  const { id: item } = subject;
  if (subject.passes) return err(failure('landed-already', { item }));
  if (waitingFor(target.workspaceDir).some((one) => one.item === item))
    return err(failure('session-at-gate', { item }));
  const workBefore = await findWip(target.git, item);
  if (!workBefore.ok) return workBefore;
  const head = await readHead(target.git);
  const { commit, branch } = head.ok ? head.value : { commit: null, branch: null };
  const before = holdOf(target, item);
  if (before?.as !== as)
    keepHold(target, {
      item,
      as,
      since: target.clock.iso(),
      by: await userNameOf(target),
      head: commit ?? '',
      branch: branch ?? '',
    });
  const { worker, taken } = await sendToRun(target, (run) => ({ type: 'item', item, run }));
  const isEnding = unfinishedSessions(target.workspaceDir, item).length > 0;
  if (!isEnding && worker === null) {
    const settled = await settle(target, command);
    if (!settled.ok) return settled;
  }
  const hadWork = isEnding || workBefore.value !== null;
  const wip = isEnding ? ok(null) : await findWip(target.git, item);
  return wip.ok ? ok({ subject, as, worker, taken, isEnding, hadWork, work: wip.value?.ref ?? null }) : wip;
}

/** Without a run, what was asked is done here. */
const settle = (target: Target, command: string): Promise<Result<unknown>> =>
  withRunLock(target, runName(target.clock, 'c'), command, 'no-box', NO_WATCHER, ({ context }) =>
    settleHolds(context, []),
  );

/** `was` null: it was not held. */
export async function releaseItem(
  target: Target,
  word: string,
): Promise<Result<{ readonly subject: Subject; readonly was: Hold['as'] | null; readonly worker: Worker | null }>> {
  const found = await findToDecide(target, word);
  if (!found.ok) return found;
  const { id } = found.value;
  const was = holdOf(target, id)?.as ?? null;
  dropHold(target, id);
  const { worker } = await sendToRun(target, (run) => ({ type: 'item', item: id, run }));
  return ok({ subject: found.value, was, worker });
}

/** A message to the agent of the item: into its turn where it can receive it there, else in front of its next one. */
export async function writeToAgent(
  target: Target,
  word: string,
  text: string,
): Promise<Result<{ readonly subject: Subject; readonly isAtWork: boolean }>> {
  const found = await findToDecide(target, word);
  if (!found.ok) return found;
  const { id: item, passes } = found.value;
  if (passes) return err(failure('landed-already', { item }));
  const id = newMessageId(target.clock.now());
  keepMessage(target, item, { id, text, at: target.clock.iso() });
  const { worker } = await sendToRun(target, (run) => ({ type: 'item', item, run }));
  const isAtWork = worker !== null && isUnderWay(target, item);
  return ok({ subject: found.value, isAtWork });
}

const isUnderWay = ({ workspaceDir }: Target, item: ItemId): boolean =>
  unfinishedSessions(workspaceDir, item).length > 0;
