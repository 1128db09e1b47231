// Messages from commands to the live run: one file each in the private folder. Without a run the command itself processes
// them in the same way.
import { existsSync, mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { readText } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { z } from 'zod';
import { listChangeSchema, loopFile, type ListChange } from '../../loop/run-file.ts';

const inboxMessageSchema = z.discriminatedUnion('type', [
  /** `run`: only this run reads it; null: the next run does. */
  z.object({ type: z.literal('pause'), run: z.string().nullable() }),
  z.object({ type: z.literal('stop'), now: z.boolean(), run: z.string().nullable() }),
  /** Something is asked of one item: it is held, or has a message. Both are files of their own, which are read again. */
  z.object({ type: z.literal('item'), item: z.string(), run: z.string().nullable() }),
  /** A change of the list, applied by a run of its own. */
  listChangeSchema.omit({ id: true }).extend({ type: z.literal('change') }),
]);
export type InboxMessage = z.output<typeof inboxMessageSchema>;
export type Posted = { readonly id: string; readonly message: InboxMessage };

const folderOf = (workspaceDir: string): string => join(workspaceDir, 'inbox');

let idsMade = 0;

/** Ids of one process sort in the order in which they were made, also within one millisecond. */
export function newMessageId(nowMs: number): string {
  idsMade += 1;
  return `${String(nowMs).padStart(15, '0')}-${String(idsMade).padStart(9, '0')}-${randomBytes(3).toString('hex')}`;
}

/** Returns the id of the message. */
export function post(workspaceDir: string, io: Io, nowMs: number, message: InboxMessage): string {
  const id = newMessageId(nowMs);
  io.replace(join(folderOf(workspaceDir), `${id}.json`), `${JSON.stringify(message)}\n`);
  return id;
}

/** Oldest first. Files that are not messages, or are removed meanwhile, are left out. */
export function waiting(workspaceDir: string): readonly Posted[] {
  const folder = folderOf(workspaceDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const message = messageIn(join(folder, name));
      return message === null ? [] : [{ id: name.slice(0, -'.json'.length), message }];
    });
}

function messageIn(file: string): InboxMessage | null {
  const text = readText(file);
  if (!text.ok || text.value === null) return null;
  try {
    return inboxMessageSchema.safeParse(JSON.parse(text.value)).data ?? null;
  } catch {
    return null;
  }
}

/** Changes that the loop has taken from the inbox and not applied yet. An unreadable file has none: the driver reports it. */
export function takenChanges(workspaceDir: string): readonly ListChange[] {
  const text = readText(join(workspaceDir, 'loop.json'));
  if (!text.ok || text.value === null) return [];
  try {
    return loopFile.parse(JSON.parse(text.value)).pending;
  } catch {
    return [];
  }
}

export const done = (workspaceDir: string, io: Io, id: string): void =>
  io.remove(join(folderOf(workspaceDir), `${id}.json`));

/** Calls `look` at the start and after every change of the inbox. */
export function watchInbox(workspaceDir: string, look: () => void): { close(): void } {
  const folder = folderOf(workspaceDir);
  mkdirSync(folder, { recursive: true });
  const watcher = watch(folder, () => look());
  watcher.unref();
  look();
  return { close: () => watcher.close() };
}
