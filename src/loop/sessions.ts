// The sessions of a run: the live process of each number, where its turns are kept, what it used.
// Owns the pointer from a session's number to its private folder, by which a later process finds what an earlier one began.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod/mini';
import type { HostedSession } from '../agents/host/client.ts';
import { cutTurns, readTurn } from '../agents/host/turn-results.ts';
import type { Io } from '../host/io.ts';
import type { AgentEvent } from '../model/event.ts';
import type { TimeSpan } from '../repos/installed.ts';
import { closedPath } from '../verify/tamper-guard/storage.ts';
import { priced } from '../model/prices.ts';
import { NO_USAGE, addUsage, type Usage } from '../model/usage.ts';

const pointerSchema = z.object({
  /** Its name in `sessions/`; older programs wrote the whole path, which is another one's where the repository was copied. */
  folder: z.string(),
  token: z.string(),
  startedAt: z.string(),
  /** Of its model, in case the provider does not report costs. */
  price: z.optional(z.nullable(z.object({ input: z.number(), output: z.number(), cached: z.number() }))),
  /** Which agent of its role it has; left out: the role's own. */
  agent: z.optional(z.number()),
  /** Its agent cannot write the git folder: newer commits are a user's. Left out: it may be able to. */
  cannotCommit: z.optional(z.literal(true)),
});
type Pointer = Readonly<z.infer<typeof pointerSchema>>;

export type LiveSessions = {
  /** The folder of this session's turns: the one begun under this token, or a new one. */
  begin(session: number, begun: Omit<Pointer, 'folder'>): Pointer;
  pointer(session: number): Pointer | null;
  live(session: number): HostedSession | null;
  keep(session: number, hosted: HostedSession): void;
  /** Forgets the live process (it has been closed). */
  drop(session: number): HostedSession | null;
  /** What is done to the tree around a turn is done for one session after another, though their turns go side by side. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Ends every live process: a run that was stopped leaves no agent behind. */
  closeAll(): Promise<void>;
  /** What a session used, from the durable outcomes of its turns, those that were cut and played again included. */
  record(session: number): {
    readonly usage: Usage;
    readonly turns: number;
    readonly toolCalls: number;
    /** Of the agent, in all turns. */
    readonly ms: number;
    readonly startedAt: string;
  };
};

const pointerFile = (workspaceDir: string, session: number): string =>
  join(workspaceDir, 'sessions', `${session}.json`);

export function pointerOf(workspaceDir: string, session: number): Pointer | null {
  const file = pointerFile(workspaceDir, session);
  if (!existsSync(file)) return null;
  const pointer = pointerSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { ...pointer, folder: join(workspaceDir, 'sessions', basename(pointer.folder)) };
}

const eventLine = z.custom<AgentEvent & { readonly turn?: number; readonly ts?: string }>(
  (value) => z.looseObject({ t: z.string() }).safeParse(value).success,
);

/** The events in lines of `events.jsonl`; a line cut by a crash is left out. */
export const eventsIn = (lines: string): readonly z.infer<typeof eventLine>[] =>
  lines.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [eventLine.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });

/** The folder of a session's tamper guard, in the session's private folder. */
export const guardOf = (folder: string): string => join(folder, 'window');

/** The same by the session's number; null: it was never begun. */
export function guardOfSession(workspaceDir: string, session: number): string | null {
  const pointer = pointerOf(workspaceDir, session);
  return pointer === null ? null : guardOf(pointer.folder);
}

/** The numbers of all that were ever begun. */
export function begunSessions(workspaceDir: string): readonly number[] {
  const folder = join(workspaceDir, 'sessions');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * When an agent could write since `sinceMs`: from the record that its first turn begins until its session was closed. By the
 * times of these files, which are the file system's own.
 */
export function agentTimes(workspaceDir: string, sinceMs: number): readonly TimeSpan[] {
  const sessions = join(workspaceDir, 'sessions');
  const timeOf = (path: string): number | null => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  const spans = (existsSync(sessions) ? readdirSync(sessions, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const folder = join(sessions, name);
      const lastMs = timeOf(folder) ?? 0;
      const begun = readdirSync(folder).filter((file) => file.endsWith('.begun.json'));
      const times = begun.map((file) => timeOf(join(folder, file)) ?? lastMs);
      const closedMs = timeOf(closedPath(guardOf(folder)));
      return times.length === 0 ? [] : [{ fromMs: Math.min(...times), closedMs, lastMs }];
    })
    .sort((a, b) => a.fromMs - b.fromMs);
  return spans
    .map(({ fromMs, closedMs, lastMs }, n) => ({
      fromMs,
      // A session that was never closed and is not the last was given up: it has no process any more.
      toMs: closedMs ?? (n === spans.length - 1 ? Number.POSITIVE_INFINITY : lastMs),
    }))
    .filter(({ toMs }) => toMs >= sinceMs);
}

/** What a session used so far; readable while it is at work. */
export function usedBy(workspaceDir: string, session: number): ReturnType<LiveSessions['record']> {
  const known = pointerOf(workspaceDir, session);
  if (known === null || !existsSync(known.folder))
    return { usage: NO_USAGE, turns: 0, toolCalls: 0, ms: 0, startedAt: known?.startedAt ?? '' };
  const turns = readdirSync(known.folder).filter((name) => /^turn-\d+\.json$/.test(name));
  const outcomes = turns.map((name) => readTurn(known.folder, Number(/\d+/.exec(name)?.[0]))).filter((o) => o !== null);
  const all = [...outcomes, ...cutTurns(known.folder)];
  const usage = all.map((one) => priced(one.usage, known.price ?? null)).reduce(addUsage, NO_USAGE);
  const ms = all.reduce((sum, one) => sum + one.ms, 0);
  const toolCalls = outcomes.reduce((sum, o) => sum + o.toolCalls, 0);
  return { usage, turns: outcomes.length, toolCalls, ms, startedAt: known.startedAt };
}

export function openSessions(workspaceDir: string, io: Io): LiveSessions {
  const hosted = new Map<number, HostedSession>();
  let last: Promise<unknown> = Promise.resolve();
  const pointer = (session: number): Pointer | null => pointerOf(workspaceDir, session);
  return {
    begin(session, start) {
      const known = pointer(session);
      if (known?.token === start.token) return known;
      const name = `${session}-${start.startedAt.replace(/\D/g, '')}`;
      io.replace(pointerFile(workspaceDir, session), `${JSON.stringify({ folder: name, ...start })}\n`);
      return { folder: join(workspaceDir, 'sessions', name), ...start };
    },
    pointer,
    live: (session) => hosted.get(session) ?? null,
    inTurn(work) {
      const next = last.then(work, work);
      last = next;
      return next;
    },
    keep: (session, live) => void hosted.set(session, live),
    drop(session) {
      const live = hosted.get(session) ?? null;
      hosted.delete(session);
      return live;
    },
    async closeAll() {
      const live = [...hosted.values()];
      hosted.clear();
      await Promise.all(live.map((session) => session.close()));
    },
    record: (session) => usedBy(workspaceDir, session),
  };
}
