// What a scripted agent remembers of its sessions between two lives, so that one can be resumed: a small file each.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** `index` is the scripted session chosen by the first prompt; null before it. `turns` counts the finished ones. */
export type Remembered = { readonly index: number | null; readonly turns: number; readonly costUsd: number };
const remembered = z.object({ index: z.number().nullable(), turns: z.number(), costUsd: z.number() });

export const FRESH: Remembered = { index: null, turns: 0, costUsd: 0 };

/** null: no such session was ever finished a turn of. */
export function recall(home: string, id: string): Remembered | null {
  if (!/^[\w-]+$/.test(id)) return null;
  try {
    return remembered.parse(JSON.parse(readFileSync(join(home, `${id}.json`), 'utf8')));
  } catch {
    return null;
  }
}

export function remember(home: string, id: string, what: Remembered): void {
  mkdirSync(home, { recursive: true });
  const file = join(home, `${id}.json`);
  writeFileSync(`${file}.tmp`, JSON.stringify(what));
  renameSync(`${file}.tmp`, file);
}
