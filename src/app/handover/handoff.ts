// Hands the work to the user: active sessions are ended, and no run starts until the work is taken back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ItemId, Subject } from '../../model/item.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { readHead } from '../../repos/head.ts';
import { findWip } from '../../repos/wip.ts';
import { readCurrentItems } from '../look/current-items.ts';
import { userNameOf } from '../backlog/changes.ts';
import { findItem } from '../backlog/find-item.ts';
import {
  isInitUnfinished,
  dropHandoff,
  keepHandoff,
  readHandoff,
  type Handoff,
  clearPaused,
  isPaused,
} from '../open/run-blockers.ts';
import { readStateUnchecked } from '../look/state-summary.ts';
import { pause, workerOf, type Worker } from './steer.ts';
import type { Target } from '../open/target.ts';
import { endSessions, waitUntilFree } from './end-sessions.ts';
import { featureTestCommand } from '../run/verify.ts';
import type { ProjectView } from '../open/project-view.ts';

export type HandoffReport = {
  readonly note: Handoff;
  readonly wasHandedOff: boolean;
  /** The live run, and whether it took the message; null: none. */
  readonly worker: Worker | null;
  readonly taken: boolean;
  readonly item: InProgress | null;
  readonly landed: number;
  readonly total: number;
};
export type InProgress = {
  readonly subject: Subject;
  /** The command that runs the item's test; null: not configured, or no test of its own. */
  readonly command: string | null;
  readonly session: number | null;
  /** Why its last session ended. */
  readonly reason: string | null;
  /** The ref that keeps what its sessions did so far; null: nothing. */
  readonly work: string | null;
};

/** Ending a session saves its work, which is quick unless checks are running; milliseconds. */
const MOST_WAIT_MS = 60_000;

/** Idempotent: the first call's time and commit are kept. */
export async function handOff(target: Target, view: ProjectView, signal: AbortSignal): Promise<Result<HandoffReport>> {
  if (isInitUnfinished(target)) return err(failure('init-unfinished'));
  const before = readHandoff(target);
  const wasPaused = isPaused(target);
  const { oid, branch } = await headOf(target);
  const begun: Handoff = before ?? {
    since: target.clock.iso(),
    by: await userNameOf(target),
    head: oid,
    branch,
    wasPaused,
    settled: false,
    item: null,
    session: null,
  };
  // The note first: it applies whatever happens to the run.
  if (before === null) keepHandoff(target, begun);
  const { worker, taken } = await pause(target);
  const isFree = worker === null || (taken && (await waitUntilFree(target, MOST_WAIT_MS, signal)));
  const note = begun.settled || !isFree ? ok(begun) : await finishHandoff(target, begun);
  if (!note.ok) {
    // The work tree is not free: nothing is handed over.
    if (before === null) {
      dropHandoff(target);
      if (!wasPaused) clearPaused(target);
    }
    return note;
  }
  const item = note.value.item === null ? ok(null) : await inProgress(target, note.value.item, note.value.session);
  const current = await readCurrentItems(view);
  const items = current.ok ? current.value.items : [];
  return ok({
    note: note.value,
    wasHandedOff: before !== null,
    worker,
    taken,
    item: item.ok ? item.value : null,
    landed: items.filter(({ status }) => status === 'landed').length,
    total: items.length,
  });
}

/** Ends active sessions and records the item in progress. Fails as `endSessions`. */
export async function finishHandoff(target: Target, note: Handoff): Promise<Result<Handoff>> {
  // The lock is held by another command, or by a run about to end: wait a moment.
  for (let n = 0; n < 40 && workerOf(target) !== null; n += 1) await sleep(50);
  const left = await endSessions(target, 'harness handoff');
  if (!left.ok) return left;
  const state = readStateUnchecked(target);
  const partial = state.ok && state.value.status === 'partial' && state.value.current !== null ? state.value : null;
  const [waiting] = left.value;
  const settled: Handoff = {
    ...note,
    settled: true,
    item: partial === null ? (waiting?.item ?? null) : String(partial.current),
    session: partial === null ? (waiting?.session ?? null) : partial.lastSession,
  };
  keepHandoff(target, settled);
  return ok(settled);
}

async function inProgress(target: Target, id: ItemId, session: number | null): Promise<Result<InProgress | null>> {
  const subject = await findItem(target, id);
  if (!subject.ok) return subject;
  const state = readStateUnchecked(target);
  const why = state.ok && String(state.value.current) === id ? state.value.reason : null;
  // `complete` means that the session ended by itself, whether its work was done or not.
  const reason = why === 'complete' ? 'incomplete' : why;
  const wip = await findWip(target.git, id);
  if (!wip.ok) return wip;
  const command = featureTestCommand(target, subject.value);
  return ok({ subject: subject.value, command, session, reason, work: wip.value?.ref ?? null });
}

/** '' if there is none. */
async function headOf({ git }: Target): Promise<{ readonly oid: string; readonly branch: string }> {
  const head = await readHead(git);
  return head.ok ? { oid: head.value.commit ?? '', branch: head.value.branch ?? '' } : { oid: '', branch: '' };
}
