// Changes of the backlog that people ask for: posted to the inbox, and applied at once where nothing runs. The same path
// either way, so that a change is never lost and never made twice.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { readText } from '../../host/files.ts';
import { flagEdit } from '../../engine/list-edits.ts';
import { loopFile, type ListChange } from '../../loop/run-file.ts';
import type { Failure } from '../../model/failure.ts';
import type { ItemId, ItemChange } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { isDecided } from '../../model/decided.ts';
import { identityOf, readSettings } from '../../repos/settings.ts';
import type { Subject } from './find-item.ts';
import { done, post, waiting, type Message } from '../run/inbox.ts';
import { createControl, runLoop, type RunReport } from '../run/run.ts';
import { isWorking } from '../open/run-name.ts';
import type { Target } from '../open/target.ts';

export type Change = Omit<Extract<Message, { readonly type: 'change' }>, 'type'>;
export type Changed =
  /** Committed now, or written where no commit carries the file; `withEdits`: the file had uncommitted changes of the person's, which are in the commit too. */
  | { readonly result: 'applied'; readonly commit: string | null; readonly withEdits: boolean }
  /** Nothing to do. */
  | { readonly result: 'already' }
  /** A live run applies it before its next item; another command is at work: the next run or change applies it. */
  | { readonly result: 'queued'; readonly behind: 'run' | 'command'; readonly pid: string; readonly command: string }
  /** A session was interrupted or waits at a gate: it is applied when that is over. */
  | { readonly result: 'queued'; readonly behind: 'session' };

/** Decides on an item: skip, override. Says `already` where it stands so, `queued` where it was asked before and waits. */
export async function decide(
  target: Target,
  subject: Subject,
  change: ItemChange,
  subjectLine: string,
  command: string,
): Promise<Result<Changed>> {
  const edit = flagEdit(target.config.paths.backlog, subject.id, change);
  const isAsked = isSameChange(lastOf(queued(target), subject.id), change);
  if (!isAsked && hasNone(target, subject.id) && isDecided(subject, change)) return ok({ result: 'already' });
  return apply(target, isAsked ? null : { item: subject.id, subject: subjectLine, edit }, command);
}

/** Posts the change (null: one like it waits already) and applies what waits. */
export async function apply(target: Target, change: Change | null, command: string): Promise<Result<Changed>> {
  const { privateDir, io, clock } = target;
  const { backlog } = target.config.paths;
  const withEdits = (await target.view.head()).dirty.includes(backlog);
  const id = change === null ? null : post(privateDir, io, clock.now(), { type: 'change', ...change });
  const mode = { work: false, only: null, untilDone: false, maxSessions: null, maxItems: null };
  const silent = { event: () => undefined, agent: () => undefined };
  let ran = await runLoop(target, mode, command, createControl(), silent);
  for (let n = 0; n < PATIENCE && isSoonFree(ran); n += 1) {
    await sleep(PATIENCE_MS);
    ran = await runLoop(target, mode, command, createControl(), silent);
  }
  if (!ran.ok) {
    if (ran.failure.reason === 'locked') return ok(behind(ran.failure));
    if (id !== null) done(privateDir, io, id);
    return ran;
  }
  const { applied, failure, reason } = ran.value;
  if (failure !== null) return err(failure);
  if (reason === 'session-interrupted') return ok({ result: 'queued', behind: 'session' });
  const own = id === null ? applied.at(-1) : applied.find((a) => a.id === id);
  // Nothing of ours was left to apply: another command did it while this one waited for the lock.
  if (own?.isWritten === true) return ok({ result: 'applied', commit: null, withEdits: false });
  const commit = own === undefined ? await bySubject(target, change?.subject ?? null) : own.commit;
  return ok(commit === null ? { result: 'already' } : { result: 'applied', commit, withEdits });
}

/** A command is through in a moment; a run is not waited for. */
const PATIENCE = 30;
const PATIENCE_MS = 100;
const isSoonFree = (ran: Result<RunReport>): boolean =>
  !ran.ok && ran.failure.reason === 'locked' && !isWorking(String(ran.failure.params['run'] ?? ''));

async function bySubject(target: Target, subject: string | null): Promise<string | null> {
  const commits = await target.view.recentCommits(20);
  const line = (subject ?? '').replace(/\s+/g, ' ');
  // A long subject was cut and ends with "…".
  return commits.find((c) => c.subject !== '' && line.startsWith(c.subject.replace(/…$/, '')))?.id ?? null;
}

function behind({ params }: Failure): Changed {
  const kind = isWorking(String(params['run'] ?? '')) ? 'run' : 'command';
  return {
    result: 'queued',
    behind: kind,
    pid: String(params['pid'] ?? '?'),
    command: String(params['command'] ?? '?'),
  };
}

type Queued = Pick<Change, 'item' | 'edit'>;

/** What was asked for and is not in the backlog yet, oldest first: taken up by the loop, then still in the inbox. */
export function queued(target: Target): readonly Queued[] {
  const inbox = waiting(target.privateDir);
  const known = new Set(inbox.map(({ id }) => id));
  const pending = pendingIn(target).filter(({ id }) => !known.has(id));
  return [...pending, ...inbox.flatMap(({ message }) => (message.type === 'change' ? [message] : []))];
}

function pendingIn(target: Target): readonly ListChange[] {
  const text = readText(join(target.privateDir, 'loop.json'));
  if (!text.ok || text.value === null) return [];
  try {
    return loopFile.parse(JSON.parse(text.value)).pending;
  } catch {
    return []; // the driver says what is wrong with it
  }
}

/** Items that were added and are not in the file yet. */
export const queuedEntries = (target: Target): readonly Json[] =>
  queued(target).flatMap(({ edit }) => (edit.name === 'add' ? [edit.input.entry] : []));

const lastOf = (all: readonly Queued[], item: ItemId): Queued | null =>
  all.findLast((q) => q.item === item && q.edit.name === 'flag') ?? null;
const hasNone = (target: Target, item: ItemId): boolean => lastOf(queued(target), item) === null;

/** The same decision, said at another time or by another person. */
function isSameChange(asked: Queued | null, change: ItemChange): boolean {
  if (asked?.edit.name !== 'flag') return false;
  const { change: before } = asked.edit.input;
  const bare = (c: ItemChange): Map<string, unknown> =>
    new Map(Object.entries(c).filter(([key]) => key !== 'at' && key !== 'by'));
  return isDeepStrictEqual(bare(before), bare(change));
}

/** Who decides: the name that commits carry. */
export async function personOf(target: Target): Promise<string> {
  const settings = await readSettings(target.git);
  return settings.ok ? identityOf(target.git, settings.value).name : 'unknown';
}
