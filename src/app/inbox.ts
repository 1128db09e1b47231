// What a person tells a run: one file per message under the private folder, read by the live run or by the command itself
// when nothing runs. The same path either way; no socket needed.
import { existsSync, mkdirSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { ItemId } from '../model/item.ts';
import type { Json } from '../model/json.ts';

export type Message =
  /** `run`: whom it is for; a run that comes later pays no heed. null: whoever reads it. */
  | { readonly type: 'pause'; readonly run: string | null }
  | { readonly type: 'stop'; readonly now: boolean; readonly run: string | null }
  /** An edit of the backlog by the playbook's edit of this name, committed by itself. */
  | {
      readonly type: 'change';
      readonly item: ItemId | null;
      readonly subject: string;
      readonly edit: { readonly name: string; readonly input: Json };
    };
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
    const message = JSON.parse(text.value) as Message | null;
    return ['pause', 'stop', 'change'].includes(message?.type ?? '') ? message : null;
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
