// What a person tells a run: one file per message under the private folder, read by the live run or by the command itself
// when nothing runs. The same path either way; no socket needed.
import { existsSync, mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { readText } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { z } from 'zod';
import { listChangeSchema } from '../../loop/run-file.ts';

const messageSchema = z.discriminatedUnion('type', [
  /** `run`: only this run reads it; null: the next one that reads the inbox. */
  z.object({ type: z.literal('pause'), run: z.string().nullable() }),
  z.object({ type: z.literal('stop'), now: z.boolean(), run: z.string().nullable() }),
  /** A change of the list, applied by itself. */
  listChangeSchema.omit({ id: true }).extend({ type: z.literal('change') }),
]);
export type Message = z.output<typeof messageSchema>;
export type Posted = { readonly id: string; readonly message: Message };

const folderOf = (privateDir: string): string => join(privateDir, 'inbox');

/** Ids sort in the order of posting. */
export function post(privateDir: string, io: Io, nowMs: number, message: Message): string {
  const id = `${String(nowMs).padStart(15, '0')}-${randomBytes(3).toString('hex')}`;
  io.replace(join(folderOf(privateDir), `${id}.json`), `${JSON.stringify(message)}\n`);
  return id;
}

/** Oldest first. One that is taken while this looks is left out, and so is a file that is no message. */
export function waiting(privateDir: string): readonly Posted[] {
  const folder = folderOf(privateDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const message = messageIn(join(folder, name));
      return message === null ? [] : [{ id: name.slice(0, -'.json'.length), message }];
    });
}

function messageIn(file: string): Message | null {
  const text = readText(file);
  if (!text.ok || text.value === null) return null;
  try {
    return messageSchema.safeParse(JSON.parse(text.value)).data ?? null;
  } catch {
    return null;
  }
}

export const done = (privateDir: string, io: Io, id: string): void =>
  io.remove(join(folderOf(privateDir), `${id}.json`));

/** Calls `look` at every change of the inbox, and once at the start. */
export function watchInbox(privateDir: string, look: () => void): { close(): void } {
  const folder = folderOf(privateDir);
  mkdirSync(folder, { recursive: true });
  const watcher = watch(folder, () => look());
  watcher.unref();
  look();
  return { close: () => watcher.close() };
}
