// The event logs of runs (src/host/run-events.ts), read while a run may be writing one: what happened of note, and what follows a number.
import { closeSync, fstatSync, openSync, readSync, readdirSync } from 'node:fs';
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { z } from 'zod';
import { eventsFolder } from '../../host/run-events.ts';
import { jsonSchema } from '../../model/json.ts';

export const runEventShape = z.object({
  seq: z.number(),
  run: z.string(),
  ts: z.string(),
  type: z.string(),
  level: z.string(),
  session: z.number().optional(),
  item: z.string().optional(),
  data: z.record(z.string(), jsonSchema).optional(),
});
export type RunEvent = Readonly<z.output<typeof runEventShape>>;

/** What sessions do from second to second: followed live, and not kept in memory. */
const PASSING = new Set(['tool', 'tool-ended', 'said', 'usage', 'context', 'agent-retry']);
export const isPassing = ({ type }: RunEvent): boolean => PASSING.has(type);

/** The time is in the name: names of all kinds of runs in the order in which they began. */
const startOf = (run: string): string => run.slice(run.indexOf('-') + 1);
const RUN = /^[a-z]-[\w-]+$/;

/** Oldest first. */
export function loggedRuns(workspaceDir: string): readonly string[] {
  return namesIn(eventsFolder(workspaceDir))
    .flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []))
    .filter((run) => RUN.test(run))
    .sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
}

type Seen = { readonly ino: number; readonly end: number; readonly events: readonly RunEvent[] };
const seen = new Map<string, Seen>();

/** What happened of note in a run so far, in order. The file is read on from where it was read before. */
export function notableEvents(workspaceDir: string, run: string): readonly RunEvent[] {
  if (!RUN.test(run)) return [];
  const path = join(eventsFolder(workspaceDir), `${run}.jsonl`);
  const known = seen.get(path);
  const { ino, lines, end } = linesFrom(path, known?.ino ?? 0, known?.end ?? 0);
  const before = known !== undefined && known.ino === ino ? known.events : [];
  const fresh = lines.flatMap((line) => parsed(line) ?? []).filter((event) => !isPassing(event));
  const events = fresh.length === 0 ? before : [...before, ...fresh];
  seen.set(path, { ino, end, events });
  return events;
}

/** All events of a run from byte `from` on, complete lines only. `endsAt`, `end`: the byte after one of them, and after all. */
export function eventsFrom(
  workspaceDir: string,
  run: string,
  from: number,
): { readonly events: readonly (RunEvent & { readonly endsAt: number })[]; readonly end: number } {
  if (!RUN.test(run)) return { events: [], end: from };
  const { lines, end } = linesFrom(join(eventsFolder(workspaceDir), `${run}.jsonl`), null, from);
  let at = from > end ? 0 : from;
  const events = lines.flatMap((line) => {
    at += Buffer.byteLength(line) + 1;
    const event = parsed(line);
    return event === null ? [] : [{ ...event, endsAt: at }];
  });
  return { events, end };
}

/** `ino` null: whichever file it is; of another file everything is read. */
function linesFrom(
  path: string,
  ino: number | null,
  from: number,
): { readonly ino: number; readonly lines: readonly string[]; readonly end: number } {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return { ino: 0, lines: [], end: 0 };
  }
  try {
    const stat = fstatSync(file);
    const start = (ino === null || ino === stat.ino) && from <= stat.size ? from : 0;
    const bytes = Buffer.alloc(stat.size - start);
    const length = readSync(file, bytes, 0, bytes.length, start);
    const last = bytes.subarray(0, length).lastIndexOf(10);
    const text = bytes.toString('utf8', 0, last + 1);
    return { ino: stat.ino, lines: text.split('\n').filter((line) => line !== ''), end: start + last + 1 };
  } finally {
    closeSync(file);
  }
}

/** A line cut by a crash is left out. */
function parsed(line: string): RunEvent | null {
  try {
    return runEventShape.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
