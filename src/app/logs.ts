// Reads the logs of a project: the lines that are meant, the last of them, and what comes after. Takes no lock.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogLine, LogTest } from '../host/log-query.ts';
import type { View } from './view.ts';

export const LOG_KINDS = {
  events: 'events.jsonl',
  decisions: 'decisions.jsonl',
  actions: 'agent_actions.jsonl',
} as const;
export type LogKind = keyof typeof LOG_KINDS;

export type LogsRead = {
  /** The last of those that are meant, oldest first. */
  readonly lines: readonly LogLine[];
  /** How many are meant in all. */
  readonly found: number;
  /** Lines that are no JSON: of a write that a kill cut off. */
  readonly damaged: number;
  /** Where the file ended, in bytes. */
  readonly end: number;
};

const pathOf = (view: Pick<View, 'stateDir'>, kind: LogKind): string => join(view.stateDir, 'logs', LOG_KINDS[kind]);

/** `last`: at most so many. Memory does not grow with the log. */
export async function readLog(
  view: Pick<View, 'stateDir'>,
  kind: LogKind,
  meant: { readonly test: LogTest; readonly last: number; readonly nowMs: number },
): Promise<LogsRead> {
  const path = pathOf(view, kind);
  const end = existsSync(path) ? statSync(path).size : 0;
  const lines: LogLine[] = [];
  let [found, damaged] = [0, 0];
  for await (const line of linesBetween(path, 0, end)) {
    if (line === null) damaged += 1;
    else if (meant.test(line, meant.nowMs)) {
      found += 1;
      lines.push(line);
      if (lines.length > 2 * meant.last) lines.splice(0, lines.length - meant.last);
    }
  }
  return { lines: lines.slice(Math.max(0, lines.length - meant.last)), found, damaged, end };
}

/** How often a file is looked at for new lines; milliseconds. */
const LOOK_MS = 300;

/** Lines written behind `from` as they come, until the signal. A log that was put aside is read from its beginning. */
export async function* followLog(
  view: Pick<View, 'stateDir'>,
  kind: LogKind,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  const path = pathOf(view, kind);
  let at = from;
  while (!signal.aborted) {
    const size = existsSync(path) ? statSync(path).size : 0;
    if (size < at) at = 0;
    for await (const { line, next } of wholeLines(path, at, size)) {
      at = next;
      if (line !== null) yield line;
    }
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function* linesBetween(path: string, from: number, to: number): AsyncGenerator<LogLine | null> {
  if (to <= from) return;
  const input = createReadStream(path, { start: from, end: to - 1, encoding: 'utf8' });
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (text.trim() !== '') yield parsed(text);
}

/** Only lines with their end: the rest is still being written. */
async function* wholeLines(
  path: string,
  from: number,
  to: number,
): AsyncGenerator<{ readonly line: LogLine | null; readonly next: number }> {
  if (to <= from) return;
  let [rest, at] = [Buffer.alloc(0), from];
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 })) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      at += end + 1;
      yield { line: parsed(rest.toString('utf8', 0, end)), next: at };
      rest = rest.subarray(end + 1);
    }
  }
}

function parsed(text: string): LogLine | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LogLine) : null;
  } catch {
    return null;
  }
}
