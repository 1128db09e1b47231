// What a scripted agent remembers of its sessions between two lives, so that one can be resumed: a small file each.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../host/files.ts';

/** What a session has behind it. `turns` counts the finished ones. */
export type Past = { readonly turns: number; readonly costUsd: number };
/**
 * `index` is the scripted session chosen by the first prompt; null before it. `last` is the digest of the last finished
 * prompt and what was past before it: who is resumed with that very prompt was never heard, and plays that turn again.
 */
export type Remembered = Past & {
  readonly index: number | null;
  readonly last: { readonly prompt: string; readonly before: Past } | null;
};
const past = z.object({ turns: z.number(), costUsd: z.number() });
const remembered = past.extend({
  index: z.number().nullable(),
  last: z.object({ prompt: z.string(), before: past }).nullable(),
});

export const FRESH: Remembered = { index: null, turns: 0, costUsd: 0, last: null };

/** What is past for a prompt: a turn whose answer nobody heard is not. */
export const pastFor = (memory: Remembered, prompt: string): Past =>
  memory.last?.prompt === sha256(prompt) ? memory.last.before : memory;

/** For the life that played the turn: who asks again there has heard the answer. */
export const heard = (memory: Remembered): Remembered => ({ ...memory, last: null });

/** `wasCut`: the turn is heard of as one that was cut, with what it cost. */
export function finished(
  index: number,
  prompt: string,
  before: Past,
  { spentUsd, wasCut }: { readonly spentUsd: number; readonly wasCut: boolean },
): Remembered {
  const costUsd = before.costUsd + spentUsd;
  const again = { turns: before.turns, costUsd: wasCut ? costUsd : before.costUsd };
  return { index, turns: before.turns + 1, costUsd, last: { prompt: sha256(prompt), before: again } };
}

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
