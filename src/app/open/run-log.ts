// The run log: what a run writes before its first item and after its last, to files that the machine itself maintains. An
// interrupted session may have changed them: they are restored first, and the change is reported when the session is closed.
import { readFileSync } from 'node:fs';
import { writes } from '../../loop/performers/write.ts';
import type { DirectoryLocks } from '../../host/directory-lock.ts';
import { readContext, type RunContext } from '../../loop/run-context.ts';
import type { RunLogEntry } from '../../engine/playbook.ts';
import { Bug } from '../../model/bug.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { RunMode } from '../../model/run.ts';
import { excludeFile } from '../../repos/view.ts';
import { closeTamperGuards } from './unfinished-sessions.ts';

/** Returns the run mode limited by the list; `limit`: the run must not start. Fails if the list cannot be read. */
export async function startRunLog(
  context: RunContext,
  mode: RunMode,
  beside: DirectoryLocks | null,
): Promise<Result<{ readonly mode: RunMode; readonly limit: 'max-sessions' | null }>> {
  const { runLog } = context.machine;
  if (runLog === undefined) return ok({ mode, limit: null });
  // Another process that took our lock folder for a stale one may have moved it away.
  if (beside?.areOurs() === false) return err(failure('locked', { pid: '?', since: '?', command: '?', run: '?' }));
  const closed = closeTamperGuards(context.workspaceDir, context.io);
  if (!closed.ok) return closed;
  hideFromGit(context);
  const entry = await runLog.begin(readContext(context), {
    at: context.clock.iso(),
    pid: process.pid,
    stale: beside === null ? null : staleIn(beside),
  });
  const written = await write(context, entry);
  if (!written.ok) return written;
  const { limit = null, most = null } = entry;
  const maxSessions = most === null ? mode.maxSessions : Math.min(most, mode.maxSessions ?? most);
  return ok({ mode: { ...mode, maxSessions: mode.untilDone ? maxSessions : mode.maxSessions }, limit });
}

/** The pid of the stale lock that was taken over; null: none was. */
const staleIn = ({ reclaimed: [first] }: DirectoryLocks): string | null =>
  first === undefined ? null : String(first.pid ?? '?');

/** Call however the run ended, also in the middle of a session: its agent is ended first. */
export async function endRunLog(context: RunContext): Promise<Result<null>> {
  const { runLog } = context.machine;
  if (runLog === undefined) return ok(null);
  await context.sessions.closeAll();
  const closed = closeTamperGuards(context.workspaceDir, context.io);
  if (!closed.ok) return closed;
  return write(context, await runLog.end(readContext(context), { at: context.clock.iso() }));
}

async function write(context: RunContext, { failure: refused, edit, lines }: RunLogEntry): Promise<Result<null>> {
  const ask = { kind: 'write', key: 'books', edit, lines } as const;
  const done = await writes(context).perform(ask, {
    token: context.run,
    epoch: 0,
    signal: new AbortController().signal,
  });
  if ('blocked' in done) return err(done.blocked);
  if ('parked' in done) throw new Bug('a write was parked');
  return refused === null ? ok(null) : err(refused);
}

/** Adds rules to this clone's exclude file: `git clean` keeps the files and `git status` does not list them. */
export function hideFromGit({ git, io }: Pick<RunContext, 'git' | 'io'>): void {
  if (git.own.length === 0) return;
  const file = excludeFile(git);
  const known = textOf(file).split('\n');
  const missing = git.own.map((path) => `/${path}`).filter((rule) => !known.includes(rule));
  if (missing.length > 0) io.append(file, `${known.at(-1) === '' ? '' : '\n'}${missing.join('\n')}\n`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not there yet
  }
}
