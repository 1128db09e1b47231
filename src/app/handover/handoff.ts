// Handing the work to a person: the harness ends what it is at, says where it stands, and starts nothing until it is taken back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ItemId } from '../../model/item.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { readHead } from '../../repos/head.ts';
import { readStandings } from '../look/item-list.ts';
import { personOf } from '../backlog/changes.ts';
import { findItem, type Subject } from '../backlog/find-item.ts';
import {
  isInitUnfinished,
  dropHandoff,
  keepHandoff,
  readHandoff,
  type Handoff,
  clearPaused,
  isPaused,
} from '../open/run-blockers.ts';
import { glanceAtState } from '../look/last-session.ts';
import { pause, workerOf, type Worker } from './steer.ts';
import type { Target } from '../open/target.ts';
import { endSessions, waitUntilFree } from './end-sessions.ts';
import { featureTestCommand } from '../run/verify.ts';
import type { View } from '../open/view.ts';

export type HandedOff = {
  readonly note: Handoff;
  readonly wasHandedOff: boolean;
  /** Who was at work, and whether it heard; null: nobody was. */
  readonly worker: Worker | null;
  readonly taken: boolean;
  readonly item: InProgress | null;
  readonly landed: number;
  readonly total: number;
};
export type InProgress = {
  readonly subject: Subject;
  /** What a person would type; null: none is set, or it has no test of its own. */
  readonly command: string | null;
  readonly session: number | null;
  /** Why its last session ended. */
  readonly reason: string | null;
};

/** A session that is told to end saves what it did: a moment, but for checks that are under way. */
const MOST_WAIT_MS = 60_000;

/** Done twice it is done once: the time and the place of the first call hold. */
export async function handOff(target: Target, view: View, signal: AbortSignal): Promise<Result<HandedOff>> {
  if (isInitUnfinished(target)) return err(failure('init-unfinished'));
  const before = readHandoff(target);
  const wasPaused = isPaused(target);
  const { oid, branch } = await headOf(target);
  const begun: Handoff = before ?? {
    since: target.clock.iso(),
    by: await personOf(target),
    head: oid,
    branch,
    wasPaused,
    settled: false,
    item: null,
    session: null,
  };
  // First the note: it holds whatever becomes of the run.
  if (before === null) keepHandoff(target, begun);
  const { worker, taken } = await pause(target);
  const isFree = worker === null || (taken && (await waitUntilFree(target, MOST_WAIT_MS, signal)));
  const note = begun.settled || !isFree ? ok(begun) : await settleHandoff(target, begun);
  if (!note.ok) {
    // The work tree is not the person's to have: nothing was handed over.
    if (before === null) {
      dropHandoff(target);
      if (!wasPaused) clearPaused(target);
    }
    return note;
  }
  const item = note.value.item === null ? ok(null) : await inProgress(target, note.value.item, note.value.session);
  const standings = await readStandings(view);
  const items = standings.ok ? standings.value.items : [];
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

/** Ends what is under way and notes what that was. Fails as `endSessions`. */
export async function settleHandoff(target: Target, note: Handoff): Promise<Result<Handoff>> {
  // Whoever holds the repository is no run, or a run about to end: a moment.
  for (let n = 0; n < 40 && workerOf(target) !== null; n += 1) await sleep(50);
  const left = await endSessions(target, 'harness handoff');
  if (!left.ok) return left;
  const state = glanceAtState(target);
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
  const state = glanceAtState(target);
  const why = state.ok && String(state.value.current) === id ? state.value.reason : null;
  // The reference has one word for a session that ended by itself, whether its work was done or not.
  const reason = why === 'complete' ? 'incomplete' : why;
  return ok({ subject: subject.value, command: featureTestCommand(target, subject.value), session, reason });
}

/** '' where there is none. */
async function headOf({ git }: Target): Promise<{ readonly oid: string; readonly branch: string }> {
  const head = await readHead(git);
  return head.ok ? { oid: head.value.commit ?? '', branch: head.value.branch ?? '' } : { oid: '', branch: '' };
}
