// Which lines of a log are older than their level is kept, found in its bytes. Pure.
import { Buffer } from 'node:buffer';
import type { EventLevel } from '../model/event.ts';

export type RetainedLog = {
  /** The log without the expired lines, every other line byte for byte; null where no line has expired. */
  readonly bytes: Buffer | null;
  readonly dropped: number;
  /** When the next line expires, in milliseconds since 1970; infinite where none ever does. */
  readonly nextMs: number;
};

/**
 * `keptMs`: how long a line of a level is kept. `level`: that of a line without one. A line that cannot be read is as old as the line
 * before it, and routine. A line that a crash cut off at the end stays and gets a line feed, so that the next line is whole.
 */
export function retainedOf(
  log: Buffer,
  {
    nowMs,
    keptMs,
    level,
  }: { readonly nowMs: number; readonly keptMs: (level: EventLevel) => number; readonly level: EventLevel },
): RetainedLog {
  const kept: Buffer[] = [];
  let [from, at, dropped, nextMs, lastMs] = [0, 0, 0, Number.POSITIVE_INFINITY, nowMs];
  while (at < log.length) {
    const feed = log.indexOf(10, at);
    const end = feed < 0 ? log.length : feed + 1;
    const line = feed < 0 ? null : readLine(log.toString('utf8', at, feed), level);
    const atMs = line?.atMs ?? lastMs;
    const dueMs = atMs + keptMs(line?.level ?? 'routine');
    if (feed >= 0 && dueMs <= nowMs) {
      kept.push(log.subarray(from, at));
      from = end;
      dropped += 1;
    } else nextMs = Math.min(nextMs, dueMs);
    lastMs = atMs;
    at = end;
  }
  if (dropped === 0) return { bytes: null, dropped, nextMs };
  const rest = log.subarray(from);
  const isCut = rest.length > 0 && rest.at(-1) !== 10;
  return { bytes: Buffer.concat([...kept, rest, ...(isCut ? [Buffer.from('\n')] : [])]), dropped, nextMs };
}

type LineFacts = { readonly atMs: number; readonly level: EventLevel };
/** As this program writes events: for most lines the beginning is enough. */
const OWN = /^\{"ts":"([^"]+)","type":"[^"\\]*","level":"(critical|important|routine|debug)"/;
const LEVELS: readonly EventLevel[] = ['critical', 'important', 'routine', 'debug'];

function readLine(text: string, standard: EventLevel): LineFacts | null {
  const [, ts, level] = OWN.exec(text) ?? [];
  if (ts !== undefined) return factsOf(ts, level, standard);
  try {
    const line: unknown = JSON.parse(text);
    const fields = new Map<string, unknown>(typeof line === 'object' && line !== null ? Object.entries(line) : []);
    return factsOf(fields.get('ts') ?? fields.get('timestamp'), fields.get('level'), standard);
  } catch {
    return null;
  }
}

function factsOf(ts: unknown, level: unknown, standard: EventLevel): LineFacts | null {
  const atMs = typeof ts === 'string' ? Date.parse(ts) : Number.NaN;
  return Number.isNaN(atMs) ? null : { atMs, level: LEVELS.find((one) => one === level) ?? standard };
}
