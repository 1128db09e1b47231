// The sessions of a run: the live process of each number, where its turns are kept, what it used.
// Owns the pointer from a session's number to its private folder, by which a later process finds what an earlier one began.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod/mini';
import type { HostedSession } from '../agents/host/client.ts';
import { cutTurns, readTurn } from '../agents/host/turn-results.ts';
import { openWrapperPool, type WrapperPool } from '../agents/host/wrapper-pool.ts';
import type { Io } from '../host/io.ts';
import type { AgentEvent } from '../model/event.ts';
import { priced } from '../model/prices.ts';
import { NO_USAGE, addUsage, type Usage } from '../model/usage.ts';
import { byBegin, openAgentTimes, type AgentTimes } from './agent-times.ts';

const pointerSchema = z.object({
  /** Its name in `sessions/`; older programs wrote the whole path, which is another one's where the repository was copied. */
  folder: z.string(),
  token: z.string(),
  startedAt: z.string(),
  /** Of its model, in case the provider does not report costs. */
  price: z.optional(z.nullable(z.object({ input: z.number(), output: z.number(), cached: z.number() }))),
  /** Which agent of its role it has; left out: the role's own. */
  agent: z.optional(z.number()),
  /** What it works on, and as whom; left out: for the list as a whole, or by an older version. */
  item: z.optional(z.string()),
  role: z.optional(z.string()),
  /** Its agent cannot write the git folder: newer commits are a user's. Left out: it may be able to. */
  cannotCommit: z.optional(z.literal(true)),
});
type Pointer = Readonly<z.infer<typeof pointerSchema>>;

export type LiveSessions = {
  /** The folder of this session's turns: the one begun under this token, or a new one. */
  begin(session: number, begun: Omit<Pointer, 'folder'>): Pointer;
  pointer(session: number): Pointer | null;
  /** The numbers of all that were begun, these and later ones, ascending. Listed once in each run: who has begun sessions since is known. */
  begun(from?: number): readonly number[];
  /** The highest number of one that was begun; 0: there is none. */
  last(): number;
  /** Processes for sessions. */
  readonly wrappers: Pick<WrapperPool, 'take'>;
  /** When agents could write. */
  readonly times: AgentTimes;
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

/** The numbers of all that were ever begun. A run asks its `LiveSessions`, which list them once. */
export const begunSessions = (workspaceDir: string): readonly number[] => sessionsIn(workspaceDir).numbers;

/** The numbers ascending, and the names of the folders in the order in which they were begun. */
function sessionsIn(workspaceDir: string): { readonly numbers: number[]; readonly folders: string[] } {
  const folder = join(workspaceDir, 'sessions');
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const numbers = entries.flatMap(({ name }) => /^(\d+)\.json$/.exec(name)?.[1] ?? []).map(Number);
  const folders = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  return { numbers: numbers.sort((a, b) => a - b), folders: byBegin(folders) };
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
  const wrappers = openWrapperPool({ folder: join(workspaceDir, 'sessions'), token: `${workspaceDir}#wrappers` });
  let last: Promise<unknown> = Promise.resolve();
  const pointer = (session: number): Pointer | null => pointerOf(workspaceDir, session);
  let listed: { readonly numbers: number[]; readonly folders: string[] } | null = null;
  const list = (): NonNullable<typeof listed> => (listed ??= sessionsIn(workspaceDir));
  const begun = (): readonly number[] => list().numbers;
  const add = (session: number, folder: string): void => {
    const { numbers, folders } = list();
    if (!folders.includes(folder)) folders.push(folder);
    if (numbers.includes(session)) return;
    numbers.push(session);
    numbers.sort((a, b) => a - b);
  };
  return {
    begin(session, start) {
      const known = pointer(session);
      // A process that was killed may have left the pointer without its folder.
      if (known !== null) add(session, basename(known.folder));
      if (known?.token === start.token) return known;
      const name = `${session}-${start.startedAt.replace(/\D/g, '')}`;
      io.replace(pointerFile(workspaceDir, session), `${JSON.stringify({ folder: name, ...start })}\n`);
      add(session, name);
      return { folder: join(workspaceDir, 'sessions', name), ...start };
    },
    pointer,
    begun(from = 0) {
      const all = begun();
      return all.slice(all.findLastIndex((one) => one < from) + 1);
    },
    last: () => begun().at(-1) ?? 0,
    times: openAgentTimes({ top: join(workspaceDir, 'sessions'), folders: () => list().folders, guardOf }, io),
    wrappers,
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
      await wrappers.end();
    },
    record: (session) => usedBy(workspaceDir, session),
  };
}
