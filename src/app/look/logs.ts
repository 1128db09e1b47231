// Reads the logs of a project: the last matching lines, and new ones as they are written. Takes no lock.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { LoggedLine, LogTest } from '../../host/log-query.ts';
import type { Json } from '../../model/json.ts';
import type { ProjectView } from '../open/project-view.ts';

export const LOG_KINDS = {
  events: 'events.jsonl',
  decisions: 'decisions.jsonl',
  actions: 'agent_actions.jsonl',
} as const;
export type LogKind = keyof typeof LOG_KINDS;

export type LogsRead = {
  /** The last matching lines, oldest first. */
  readonly lines: readonly LoggedLine[];
  /** The number of matching lines in the whole log. */
  readonly found: number;
  /** Lines that are not JSON, left by an interrupted write. */
  readonly damaged: number;
  /** The size of the file when it was read, in bytes. */
  readonly end: number;
};

const pathOf = (view: Pick<ProjectView, 'stateDir'>, kind: LogKind): string =>
  join(view.stateDir, 'logs', LOG_KINDS[kind]);

/** `last`: the maximum number of lines. Memory use does not grow with the log. */
export async function readLog(
  view: Pick<ProjectView, 'stateDir'>,
  kind: LogKind,
  meant: { readonly test: LogTest; readonly last: number; readonly nowMs: number },
): Promise<LogsRead> {
  const path = pathOf(view, kind);
  const end = existsSync(path) ? statSync(path).size : 0;
  const lines: LoggedLine[] = [];
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

/** Polling interval in milliseconds. */
const POLL_MS = 300;

/**
 * Yields lines written after offset `from`, until the signal. A truncated log is read from its start. After the file was
 * replaced (rotation or retention), continues after the last line seen.
 */
export async function* followLog(
  view: Pick<ProjectView, 'stateDir'>,
  kind: LogKind,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<LoggedLine> {
  const path = pathOf(view, kind);
  let at = from;
  let file: number | null = null;
  let last: string | null = null;
  while (!signal.aborted) {
    // One handle per poll: the file may be replaced at any moment.
    const log = await openLog(path);
    if (log !== null) {
      try {
        const { size, ino } = await log.stat();
        if (file === null) last = await lineBefore(log, at);
        else if (ino !== file) at = await placeBehind(log, last, size);
        if (size < at) at = 0;
        file = ino;
        for await (const { text, next } of wholeLines(log, at, size)) {
          at = next;
          last = text;
          const line = parsed(text);
          if (line !== null) yield line;
        }
      } finally {
        await log.close();
      }
    }
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Null: missing or not readable. */
const openLog = (path: string): Promise<FileHandle | null> => open(path, 'r').catch(() => null);

/** The maximum length of a line in bytes; enough of the log's end to find the last line seen. */
const LONGEST_LINE = 1024 * 1024;

async function lineBefore(log: FileHandle, end: number): Promise<string | null> {
  let last: string | null = null;
  for await (const { text } of wholeLines(log, Math.max(0, end - LONGEST_LINE), end)) last = text;
  return last;
}

/** The offset after the line itself, else before the first newer line. */
async function placeBehind(log: FileHandle, last: string | null, size: number): Promise<number> {
  if (last === null) return 0;
  const seen = tsOf(last);
  let [place, younger] = [-1, -1];
  let before = 0;
  for await (const { text, next } of wholeLines(log, 0, size)) {
    if (text === last) place = next;
    if (younger < 0 && tsOf(text) > seen) younger = before;
    before = next;
  }
  return place >= 0 ? place : younger >= 0 ? younger : before;
}

const tsOf = (text: string): string => {
  const ts = parsed(text)?.['ts'];
  return typeof ts === 'string' ? ts : '';
};

async function* linesBetween(path: string, from: number, to: number): AsyncGenerator<LoggedLine | null> {
  if (to <= from) return;
  const input = createReadStream(path, { start: from, end: to - 1, encoding: 'utf8' });
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (text.trim() !== '') yield parsed(text);
}

/** Complete lines only: the rest is still being written. */
async function* wholeLines(
  log: FileHandle,
  from: number,
  to: number,
): AsyncGenerator<{ readonly text: string; readonly next: number }> {
  if (to <= from) return;
  let [rest, at] = [Buffer.alloc(0), from];
  const chunks: AsyncIterable<Buffer> = log.createReadStream({ start: from, end: to - 1, autoClose: false });
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      at += end + 1;
      yield { text: rest.toString('utf8', 0, end), next: at };
      rest = rest.subarray(end + 1);
    }
  }
}

const isObject = (value: Json): value is LoggedLine =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): LoggedLine | null {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
