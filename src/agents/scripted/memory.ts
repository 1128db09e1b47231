// What a scripted agent stores about its sessions, so that another process can resume one: a small file each.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../host/files.ts';

/** What a session has done. `turns` counts the finished ones. */
export type Past = { readonly turns: number; readonly costUsd: number };
/**
 * `index` is the scripted session that the first prompt selected; null before it. `last` is the digest of the last finished prompt and the
 * past before it: a session that is resumed with the same prompt lost the response, and plays that turn again.
 */
export type SessionMemory = Past & {
  readonly index: number | null;
  readonly last: { readonly prompt: string; readonly before: Past } | null;
};
const past = z.object({ turns: z.number(), costUsd: z.number() });
const remembered = past.extend({
  index: z.number().nullable(),
  last: z.object({ prompt: z.string(), before: past }).nullable(),
});

export const FRESH: SessionMemory = { index: null, turns: 0, costUsd: 0, last: null };

/** The past of a prompt, without a turn whose response was lost. */
export const pastFor = (memory: SessionMemory, prompt: string): Past =>
  memory.last?.prompt === sha256(prompt) ? memory.last.before : memory;

/** For the process that played the turn: there a repeated prompt is a new one. */
export const answerReceived = (memory: SessionMemory): SessionMemory => ({ ...memory, last: null });

/** `wasCut`: the turn was reported as cut, with its cost. */
export function afterTurn(
  index: number,
  prompt: string,
  before: Past,
  { spentUsd, wasCut }: { readonly spentUsd: number; readonly wasCut: boolean },
): SessionMemory {
  const costUsd = before.costUsd + spentUsd;
  const again = { turns: before.turns, costUsd: wasCut ? costUsd : before.costUsd };
  return { index, turns: before.turns + 1, costUsd, last: { prompt: sha256(prompt), before: again } };
}

/** Null: no turn of such a session was ever finished. */
export function recall(home: string, id: string): SessionMemory | null {
  if (!/^[\w-]+$/.test(id)) return null;
  try {
    return remembered.parse(JSON.parse(readFileSync(join(home, `${id}.json`), 'utf8')));
  } catch {
    return null;
  }
}

export function remember(home: string, id: string, what: SessionMemory): void {
  mkdirSync(home, { recursive: true });
  const file = join(home, `${id}.json`);
  writeFileSync(`${file}.tmp`, JSON.stringify(what));
  renameSync(`${file}.tmp`, file);
}
