// Pause, resume, stop: a file records the pause, and a message notifies the live run, which acknowledges it by removing it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGates } from '../../gates/store.ts';
import { lockOwner } from '../../host/lock.ts';
import type { Failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { workspaceOf } from '../../repos/folders.ts';
import { findItem } from '../backlog/find-item.ts';
import { done, post, waiting, type InboxMessage } from '../list/inbox.ts';
import { askNext, type Target } from '../open/target.ts';
import { isWorking } from '../open/run-name.ts';
import { nextPrompt } from '../run/run-summary.ts';
import { clearFrozen, clearPaused, isFrozen, isPaused, setFrozen, setPaused } from '../open/run-blockers.ts';

/** The holder of the lock. `run` null: a command, which reads no messages. */
export type Worker = {
  readonly run: string | null;
  readonly pid: number | null;
  readonly command: string;
  readonly since: string | null;
};
/** `taken`: the live run has read the message; false without a run. */
export type Delivery = { readonly worker: Worker | null; readonly taken: boolean };

/** A run reads its inbox at once unless it is suspended; how long to wait for that. */
const ANSWER_MS = 5_000;
const POLL_MS = 25;

export async function pause(target: Target): Promise<Delivery & { readonly wasPaused: boolean }> {
  const wasPaused = isPaused(target);
  // The file first: it applies whatever happens to the run.
  if (!wasPaused) setPaused(target);
  const sent = await sendToRun(target, (run) => ({ type: 'pause', run }));
  return { ...sent, wasPaused };
}

/** No run starts until the freeze is lifted; a live one stops now, and the next one resumes its session. */
export async function freeze(target: Target): Promise<Delivery & { readonly wasFrozen: boolean }> {
  const wasFrozen = isFrozen(target);
  if (!wasFrozen) setFrozen(target);
  return { ...(await stop(target, true)), wasFrozen };
}

export function unfreeze(target: Target): { readonly wasFrozen: boolean } {
  const wasFrozen = isFrozen(target);
  clearFrozen(target);
  return { wasFrozen };
}

/** `now`: in the middle of the session, which a later run resumes; else after it. */
export const stop = (target: Target, now: boolean): Promise<Delivery> =>
  sendToRun(target, (run) => ({ type: 'stop', now, run }));

export type Resumed = {
  readonly wasPaused: boolean;
  readonly worker: Worker | null;
  readonly next: {
    readonly item: ItemId | null;
    readonly title: string;
    readonly prompt: string;
    readonly session: number;
    readonly remaining: number;
  };
  /** Why the next item is unknown. */
  readonly failure: Failure | null;
  /** Open gates: their items wait, and a run works on the others. */
  readonly gates: readonly string[];
};

export async function resume(target: Target): Promise<Resumed> {
  const wasPaused = isPaused(target);
  for (const { id, message } of waiting(target.workspaceDir))
    if (message.type === 'pause') done(target.workspaceDir, target.io, id);
  clearPaused(target);
  const { next: item, session, remaining, failure, prompt } = await askNext(target, null);
  const subject = item === null ? null : await findItem(target, item);
  const { privateDir, io, clock } = target;
  const gates = openGates({ dir: join(privateDir, 'gates'), io, clock, workspace: workspaceOf(target) });
  const open = gates.list({ open: true, own: true });
  return {
    wasPaused,
    worker: workerOf(target),
    next: {
      item,
      title: subject?.ok ? subject.value.title : '',
      prompt: prompt ?? (await nextPrompt(target, item)),
      session,
      remaining,
    },
    failure,
    gates: open.ok ? open.value.map(({ gate }) => gate.id) : [],
  };
}

export function workerOf(target: Target): Worker | null {
  const owner = lockOwner(target.workspaceDir);
  if (owner === null) return null;
  const run = isWorking(owner.run) ? owner.run : null;
  return { run, pid: owner.pid, command: owner.command ?? '?', since: owner.startedAt };
}

/** Posts to the live run and waits until it is read; withdraws a message that no process will read. */
export async function sendToRun(target: Target, message: (run: string) => InboxMessage): Promise<Delivery> {
  const { workspaceDir, io, clock } = target;
  const worker = workerOf(target);
  if (worker === null || worker.run === null) return { worker, taken: false };
  const id = post(workspaceDir, io, clock.now(), message(worker.run));
  for (const until = clock.now() + ANSWER_MS; ; await sleep(POLL_MS)) {
    if (!waiting(workspaceDir).some((posted) => posted.id === id)) return { worker, taken: true };
    if (workerOf(target)?.run !== worker.run) {
      done(workspaceDir, io, id);
      return { worker: null, taken: false };
    }
    // A suspended run reads it when it continues.
    if (clock.now() > until) return { worker, taken: false };
  }
}
