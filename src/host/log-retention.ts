// Which lines of a log have outlived their level, found in its bytes. Pure: who reads, writes and when is not said here.
import { Buffer } from 'node:buffer';
import type { EventLevel } from '../model/event.ts';

export type Retained = {
  /** The log without them, every other line byte for byte; null where none has to go. */
  readonly bytes: Buffer | null;
  readonly dropped: number;
  /** When the next of the lines has outlived its level; infinite where none ever does. */
  readonly nextMs: number;
};

/**
 * `keptMs`: how long a line of a level is kept. `level`: of a line that names none. A line that cannot be read is as old as
 * the one before it, and routine. What a kill cut off at the end stays, and ends with a line feed: the next line is whole.
 */
export function retainedOf(
  log: Buffer,
  {
    nowMs,
    keptMs,
    level,
  }: { readonly nowMs: number; readonly keptMs: (of: EventLevel) => number; readonly level: EventLevel },
): Retained {
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

type Line = { readonly atMs: number; readonly level: EventLevel };
/** As this program writes events: most lines need no more than their beginning. */
const OWN = /^\{"ts":"([^"]+)","type":"[^"\\]*","level":"(critical|important|routine|debug)"/;
const LEVELS: ReadonlySet<unknown> = new Set(['critical', 'important', 'routine', 'debug']);

function readLine(text: string, other: EventLevel): Line | null {
  const [, ts, level] = OWN.exec(text) ?? [];
  if (ts !== undefined) return placed(ts, level, other);
  try {
    const line = JSON.parse(text) as { ts?: unknown; timestamp?: unknown; level?: unknown } | null;
    return placed(line?.ts ?? line?.timestamp, line?.level, other);
  } catch {
    return null;
  }
}

function placed(ts: unknown, level: unknown, other: EventLevel): Line | null {
  const atMs = typeof ts === 'string' ? Date.parse(ts) : Number.NaN;
  return Number.isNaN(atMs) ? null : { atMs, level: LEVELS.has(level) ? (level as EventLevel) : other };
}
