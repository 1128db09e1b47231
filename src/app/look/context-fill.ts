// How full the context of a live session is, read from the end of its event log in constant time.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { pointerOf } from '../../loop/sessions.ts';

/** In tokens. */
export type ContextFill = {
  readonly used: number;
  readonly window: number;
  readonly source: 'reported' | 'estimated';
};

const TAIL_BYTES = 64 * 1_024;

/** Null: unknown yet. `windowTokens`: the window if the agent does not report one. */
export function contextOf(privateDir: string, session: number, windowTokens = 200_000): ContextFill | null {
  const pointer = pointerOf(privateDir, session);
  if (pointer === null) return null;
  for (const line of tailOf(join(pointer.folder, 'events.jsonl')).toReversed()) {
    const event = read(line);
    if (event === null) continue;
    return { used: event.used, window: event.window ?? windowTokens, source: event.source ?? 'reported' };
  }
  return null;
}

type Line = { readonly used: number; readonly window: number | null; readonly source?: 'reported' | 'estimated' };

function read(line: string): Line | null {
  if (!line.includes('"t":"context"')) return null;
  try {
    return JSON.parse(line) as Line;
  } catch {
    return null; // the first line of the tail is incomplete
  }
}

function tailOf(path: string): readonly string[] {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8').split('\n');
  } finally {
    closeSync(file);
  }
}
