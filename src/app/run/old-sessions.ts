// Removes what sessions that ended long ago leave, when logs are due for it, under the lock: the home folder of the agent, which is most of it, then
// what was said, call by call. Turns, records and what has landed stay.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../../host/paths.ts';
import { readText } from '../../host/files.ts';
import { runningItems } from '../../loop/run-file.ts';
import { guardOf } from '../../loop/sessions.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { HOMES_KEPT, outlived, TRANSCRIPTS_KEPT } from '../../model/retention.ts';
import { closedPath } from '../../verify/tamper-guard/storage.ts';
import { countedNow } from '../open/counted-time.ts';
import type { Target } from '../open/target.ts';

type Kept = Pick<Target, 'io' | 'clock' | 'workspaceDir' | 'stateDir'>;

/** Idempotent. A session that was never closed, or whose item waits for an answer, keeps all. */
export function dropOldSessionFiles(target: Kept): void {
  const { io, workspaceDir, stateDir } = target;
  const sessions = join(workspaceDir, 'sessions');
  const needed = neededSessions(workspaceDir);
  if (needed === null || !existsSync(sessions)) return;
  const ended = readdirSync(sessions, { withFileTypes: true }).flatMap((entry) => {
    const folder = join(sessions, entry.name);
    const session = Number.parseInt(entry.name, 10);
    const closed = entry.isDirectory() ? statsOf(closedPath(guardOf(folder))) : null;
    return closed === null || needed.has(session) ? [] : [{ folder, session, atMs: closed.mtimeMs }];
  });
  const nowMs = countedNow(target);
  const gone = [
    ...outlived(
      ended.filter(({ folder }) => existsSync(join(folder, 'home'))),
      HOMES_KEPT,
      nowMs,
    ).map(({ folder }) => join(folder, 'home')),
    ...outlived(ended, TRANSCRIPTS_KEPT, nowMs).flatMap(({ folder, session }) => [
      join(folder, 'events.jsonl'),
      ...shownTranscript(stateDir, String(session)),
    ]),
  ];
  for (const path of gone) if (existsSync(path)) io.remove(path);
}

/** For people. Agents can write here: a link is left alone. */
function shownTranscript(stateDir: string, session: string): readonly string[] {
  const folder = join(stateDir, 'sessions', session);
  if (!existsSync(folder) || realpathSync(folder) !== join(realpathSync(stateDir), 'sessions', session)) return [];
  return readdirSync(folder)
    .filter((name) => name === 'events.jsonl' || /^prompt-\d+\.md$/.test(name))
    .map((name) => join(folder, name));
}

/** null: it cannot be read. */
function neededSessions(workspaceDir: string): ReadonlySet<number> | null {
  const file = join(workspaceDir, 'loop.json');
  const text = readText(file);
  if (!text.ok) return null;
  if (text.value === null) return new Set();
  const read = parseJsonFile(text.value, file, runningItems);
  return read.ok ? new Set([...read.value.running, ...read.value.parked].map(({ session }) => session)) : null;
}
