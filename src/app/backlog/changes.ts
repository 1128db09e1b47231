// Changes of the backlog requested by commands: posted to the inbox, and applied at once if no run is live. Both ways go
// through the inbox, so no change is lost or made twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { flagEdit } from '../../engine/list-edits.ts';
import type { Failure } from '../../model/failure.ts';
import type { ItemId, ItemChange, Subject } from '../../model/item.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { isDecided } from '../../model/decided.ts';
import { identityOf, readSettings } from '../../repos/settings.ts';
import { done, post } from '../list/inbox.ts';
import { pendingChanges, type ChangeRequest, type Queued } from '../list/pending.ts';
import { createControl, runLoop, type RunReport } from '../run/run.ts';
import { NO_WATCHER } from '../open/run-context.ts';
import { isWorking } from '../open/run-name.ts';
import type { Target } from '../open/target.ts';

export type ChangeResult =
  /** Committed, or written to a file that is not committed. `withEdits`: the commit contains uncommitted edits of the user too. */
  | { readonly result: 'applied'; readonly commit: string | null; readonly withEdits: boolean }
  /** Nothing to change. */
  | { readonly result: 'already' }
  /** Another process holds the lock: a live run applies it before its next item, else the next run or change does. */
  | { readonly result: 'queued'; readonly behind: 'run' | 'command'; readonly pid: string; readonly command: string }
  /** A session was interrupted or waits at a gate: applied after it ends. */
  | { readonly result: 'queued'; readonly behind: 'session' };

/** For programs. `behind`: what a queued change waits for. */
export const changedJson = (changed: ChangeResult) => ({
  result: changed.result,
  commit: changed.result === 'applied' ? changed.commit : null,
  behind: changed.result === 'queued' ? changed.behind : null,
});

/** Requests a decision about an item (skip, override): `already` if it applies already, `queued` if it was requested before. */
export async function decide(
  target: Target,
  subject: Subject,
  change: ItemChange,
  subjectLine: string,
  command: string,
): Promise<Result<ChangeResult>> {
  const edit = flagEdit(target.config.paths.backlog, subject.id, change);
  const isAsked = isSameChange(lastOf(pendingChanges(target), subject.id), change);
  if (!isAsked && hasNone(target, subject.id) && isDecided(subject, change)) return ok({ result: 'already' });
  return applyChange(target, isAsked ? null : { item: subject.id, subject: subjectLine, edit }, command);
}

/** Posts the change (null: the same one is queued) and applies all that are queued. */
export async function applyChange(
  target: Target,
  change: ChangeRequest | null,
  command: string,
): Promise<Result<ChangeResult>> {
  const { workspaceDir, io, clock } = target;
  const { backlog } = target.config.paths;
  const withEdits = (await target.view.head()).dirty.includes(backlog);
  const id = change === null ? null : post(workspaceDir, io, clock.now(), { type: 'change', ...change });
  const mode = { work: false, only: null, untilDone: false, maxSessions: null, maxItems: null };
  let ran = await runLoop(target, mode, command, createControl(), NO_WATCHER);
  for (let n = 0; n < PATIENCE && isSoonFree(ran); n += 1) {
    await sleep(PATIENCE_MS);
    ran = await runLoop(target, mode, command, createControl(), NO_WATCHER);
  }
  if (!ran.ok) {
    if (ran.failure.reason === 'locked') return ok(behind(ran.failure));
    if (id !== null) done(workspaceDir, io, id);
    return ran;
  }
  const { applied, failure, reason } = ran.value;
  if (failure !== null) return err(failure);
  if (reason === 'session-interrupted') return ok({ result: 'queued', behind: 'session' });
  const own = id === null ? applied.at(-1) : applied.find((a) => a.id === id);
  // Another command applied it while this one waited for the lock.
  if (own?.isWritten === true) return ok({ result: 'applied', commit: null, withEdits: false });
  const commit = own === undefined ? await bySubject(target, change?.subject ?? null) : own.commit;
  return ok(commit === null ? { result: 'already' } : { result: 'applied', commit, withEdits });
}

/** Waits for another command, which takes a moment, but not for a run. */
const PATIENCE = 30;
const PATIENCE_MS = 100;
const isSoonFree = (ran: Result<RunReport>): boolean =>
  !ran.ok && ran.failure.reason === 'locked' && !isWorking(String(ran.failure.params['run'] ?? ''));

async function bySubject(target: Target, subject: string | null): Promise<string | null> {
  const commits = await target.view.recentCommits(20);
  const line = (subject ?? '').replace(/\s+/g, ' ');
  // A long subject is cut and ends with "…".
  return commits.find((c) => c.subject !== '' && line.startsWith(c.subject.replace(/…$/, '')))?.id ?? null;
}

function behind({ params }: Failure): ChangeResult {
  const kind = isWorking(String(params['run'] ?? '')) ? 'run' : 'command';
  return {
    result: 'queued',
    behind: kind,
    pid: String(params['pid'] ?? '?'),
    command: String(params['command'] ?? '?'),
  };
}

const lastOf = (all: readonly Queued[], item: ItemId): Queued | null =>
  all.findLast((q) => q.item === item && q.edit.name === 'flag') ?? null;
const hasNone = (target: Target, item: ItemId): boolean => lastOf(pendingChanges(target), item) === null;

/** Equal except for time and author. */
function isSameChange(asked: Queued | null, change: ItemChange): boolean {
  if (asked?.edit.name !== 'flag') return false;
  const { change: before } = asked.edit.input;
  const bare = (c: ItemChange): Map<string, unknown> =>
    new Map(Object.entries(c).filter(([key]) => key !== 'at' && key !== 'by'));
  return isDeepStrictEqual(bare(before), bare(change));
}

/** The user's name as in their commits. */
export async function userNameOf(target: Target): Promise<string> {
  const settings = await readSettings(target.git);
  return settings.ok ? identityOf(target.git, settings.value).name : 'unknown';
}
