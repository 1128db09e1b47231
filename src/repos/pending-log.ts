// Log entries of sessions that landed nothing: kept in the private folder until the next landing carries them, so that the work tree is clean
// between sessions. A file for each session, replaced as a whole.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import type { Io } from '../host/io.ts';

const entrySchema = z.object({ file: z.string(), text: z.string() });

const folderOf = (workspaceDir: string): string => join(workspaceDir, 'pending-log');
const fileOf = (workspaceDir: string, session: number): string => join(folderOf(workspaceDir), `${session}.json`);

/** `file`: the log, repository-relative. `text`: the entry alone. */
export function keepPending(io: Io, workspaceDir: string, session: number, file: string, text: string): string {
  const path = fileOf(workspaceDir, session);
  io.replace(path, `${JSON.stringify({ file, text })}\n`);
  return path;
}

type Entry = { readonly session: number; readonly file: string; readonly text: string };

/** By session. One that cannot be read is no entry: the session's own record has the facts. */
export function pendingIn(workspaceDir: string): readonly Entry[] {
  const folder = folderOf(workspaceDir);
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).flatMap((name) => {
    const [, session = ''] = /^(\d+)\.json$/.exec(name) ?? [];
    if (session === '') return [];
    try {
      const read = entrySchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
      return [{ session: Number(session), ...read }];
    } catch {
      return [];
    }
  });
  return found.sort((a, b) => a.session - b.session);
}

/** Entries that these committed texts have are not pending any more. */
export function dropLanded(io: Io, workspaceDir: string, texts: { readonly [file: string]: string }): void {
  for (const { session, file, text } of pendingIn(workspaceDir)) {
    const landed = (texts[file] ?? '').replaceAll('\r\n', '\n');
    if (landed.includes(text.trim())) io.remove(fileOf(workspaceDir, session));
  }
}
