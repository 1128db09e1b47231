// When agents could write: from the record that the first turn of a session begins until the session was closed, by the times of these files, which
// are the file system's own. Owns an index of it, `sessions/agent-times.json`: a session that was closed long ago is not looked at again. The index
// is made from the folders of the sessions: one that is missing, damaged, or of other folders is made again.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { z } from 'zod/mini';
import { sha256, textOrEmpty } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { TimeSpan } from '../repos/installed.ts';
import { closedPath } from '../verify/tamper-guard/storage.ts';

const indexSchema = z.object({
  schema: z.literal(1),
  /** Sessions that were closed before are left out. */
  sinceMs: z.number(),
  /** How many folders it is made from, and a hash over their names: the first of the list. */
  count: z.number(),
  names: z.string(),
  /** When the newest of the closed ones began. */
  lastFromMs: z.number(),
  closed: z.array(z.object({ fromMs: z.number(), toMs: z.number() })),
  /** Folders of sessions that are not closed: they are looked at each time. */
  open: z.array(z.string()),
});
type Index = z.infer<typeof indexSchema>;
const NOTHING: Index = { schema: 1, sinceMs: 0, count: 0, names: '', lastFromMs: 0, closed: [], open: [] };

export type AgentTimes = {
  /** Those that end at this time or later. */
  since(sinceMs: number): readonly TimeSpan[];
};

/** By the time at which the session began, which their names end with. */
export const byBegin = (folders: readonly string[]): string[] =>
  folders
    .map((name) => ({ name, key: name.slice(name.indexOf('-') + 1) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.name < b.name ? -1 : 1))
    .map(({ name }) => name);

type Sessions = {
  /** The folder that theirs are in. */
  readonly top: string;
  /** The names of all their folders, in the order in which they were begun. */
  readonly folders: () => readonly string[];
  readonly guardOf: (folder: string) => string;
};

export function openAgentTimes(sessions: Sessions, io: Io): AgentTimes {
  const file = join(sessions.top, 'agent-times.json');
  let index: Index | null = null;
  return {
    since(sinceMs) {
      const names = sessions.folders();
      const known = (index ??= stored(file, names));
      const from = sinceMs < known.sinceMs ? NOTHING : known;
      const { index: next, open } = lookedAt(sessions, from, names, sinceMs);
      index = next;
      // Nothing waits for it: what a power failure leaves of it is made again.
      if (next.count !== known.count || next.open.length !== known.open.length || next.sinceMs < known.sinceMs)
        io.replace(file, `${JSON.stringify(next)}\n`, 'may-be-lost');
      const newest = Math.max(next.lastFromMs, ...open.map(({ fromMs }) => fromMs));
      const still = open.map(({ fromMs, lastMs }) => ({
        fromMs,
        // A session that was never closed and is not the last was given up: it has no process any more.
        toMs: fromMs >= newest ? Number.POSITIVE_INFINITY : lastMs,
      }));
      return [...next.closed, ...still].filter(({ toMs }) => toMs >= sinceMs).sort((a, b) => a.fromMs - b.fromMs);
    },
  };
}

/** Only if it was made from the first of these folders. */
function stored(file: string, folders: readonly string[]): Index {
  try {
    const read = indexSchema.parse(JSON.parse(textOrEmpty(file)));
    return read.count <= folders.length && read.names === hashOf('', folders.slice(0, read.count)) ? read : NOTHING;
  } catch {
    return NOTHING;
  }
}

const hashOf = (before: string, names: readonly string[]): string =>
  names.reduce((hash, name) => sha256(`${hash}\n${name}`), before);

type OpenSession = { readonly fromMs: number; readonly lastMs: number };

function lookedAt(
  { top, guardOf }: Sessions,
  from: Index,
  folders: readonly string[],
  sinceMs: number,
): { readonly index: Index; readonly open: readonly OpenSession[] } {
  const added = folders.slice(from.count);
  const closed = from.closed.filter(({ toMs }) => toMs >= sinceMs);
  const [open, names]: [OpenSession[], string[]] = [[], []];
  let { lastFromMs } = from;
  for (const name of [...from.open, ...added]) {
    const { fromMs, closedMs, lastMs } = timesOf(join(top, name), guardOf);
    if (closedMs === null) names.push(name);
    if (fromMs === null) continue; // no agent was ever asked
    if (closedMs === null) open.push({ fromMs, lastMs });
    else {
      lastFromMs = Math.max(lastFromMs, fromMs);
      if (closedMs >= sinceMs) closed.push({ fromMs, toMs: closedMs });
    }
  }
  const hash = hashOf(from.names, added);
  return {
    index: { schema: 1, sinceMs, count: folders.length, names: hash, lastFromMs, closed, open: names },
    open,
  };
}

function timesOf(
  folder: string,
  guardOf: Sessions['guardOf'],
): {
  readonly fromMs: number | null;
  readonly closedMs: number | null;
  readonly lastMs: number;
} {
  const timeOf = (path: string): number | null => statsOf(path)?.mtimeMs ?? null;
  const lastMs = timeOf(folder) ?? 0;
  const begun = filesOf(folder).filter((file) => file.endsWith('.begun.json'));
  const times = begun.map((file) => timeOf(join(folder, file)) ?? lastMs);
  const fromMs = times.length === 0 ? null : Math.min(...times);
  return { fromMs, closedMs: timeOf(closedPath(guardOf(folder))), lastMs };
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // a pointer is written before its folder
  }
}
