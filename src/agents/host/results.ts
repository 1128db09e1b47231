// The durable outcome of each turn, one file a turn. Written by the wrapper before it reports, read after a crash.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { TURN_ENDS, type TurnOutcome } from '../../model/action.ts';
import type { Failure } from '../../model/failure.ts';
import { REASONS, type Reason } from '../../model/reasons.ts';
import type { Usage } from '../../model/usage.ts';
import { seenSchema, type Seen } from '../monitor/monitor.ts';
import { STOPS } from '../monitor/rules.ts';
import type { Fields } from './fields.ts';

const reasons = Object.keys(REASONS) as [Reason, ...Reason[]];
const failure: z.ZodType<Failure> = z.lazy(() =>
  z.object({
    reason: z.enum(reasons),
    policy: z.enum(['retry', 'fatal', 'needs-human']),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
    at: z
      .object({
        file: z.string(),
        line: z.number().exactOptional(),
        column: z.number().exactOptional(),
        key: z.string().exactOptional(),
      })
      .exactOptional(),
    causes: z.array(failure).exactOptional(),
  }),
);
const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  costUsd: z.number().nullable(),
  source: z.enum(['reported', 'partial', 'none']),
});
/** Reads an outcome that was written down. */
export const turnOutcome: z.ZodType<TurnOutcome> = z.object({
  end: z.enum(TURN_ENDS),
  failure: failure.nullable(),
  text: z.string(),
  head: z.string().exactOptional(),
  resume: z.string().nullable(),
  usage,
  toolCalls: z.number(),
  ms: z.number(),
  wrapUp: z.enum(STOPS).nullable().default(null),
} satisfies Fields<TurnOutcome>);
const stored = z.object({
  schema: z.literal(1),
  turn: z.number(),
  outcome: turnOutcome,
  /** What the monitor had seen of the session by then: the next process goes on from it. */
  seen: seenSchema.exactOptional(),
});

export const turnFile = (results: string, turn: number): string => join(results, `turn-${turn}.json`);

/** Durable on return. */
export function writeTurn(io: Io, results: string, turn: number, outcome: TurnOutcome, seen?: Seen): void {
  io.replace(turnFile(results, turn), `${JSON.stringify({ schema: 1, turn, outcome, seen })}\n`);
}

/** The outcome of a turn that ended, whoever lived to hear of it; null: the turn never ended, or not legibly. */
export const readTurn = (results: string, turn: number): TurnOutcome | null =>
  storedTurn(results, turn)?.outcome ?? null;

function storedTurn(results: string, turn: number): z.output<typeof stored> | null {
  try {
    const read = stored.parse(JSON.parse(readFileSync(turnFile(results, turn), 'utf8')));
    return read.turn === turn ? read : null;
  } catch {
    return null;
  }
}

/** What was seen of the session by the end of its last turn; null: no turn of it ended yet. */
export function lastSeen(results: string): Seen | null {
  const last = Math.max(0, ...turnsIn(results));
  return last === 0 ? null : (storedTurn(results, last)?.seen ?? null);
}

const turnsIn = (results: string): readonly number[] =>
  (existsSync(results) ? readdirSync(results) : []).flatMap((name) => {
    const turn = /^turn-(\d+)\.json$/.exec(name)?.[1];
    return turn === undefined ? [] : [Number(turn)];
  });

/** What a provider's session cost in the turns whose outcome is known, US dollars; null where one of them does not say. */
export function heardCost(results: string, session: string): number | null {
  const turns = turnsIn(results).map((turn) => readTurn(results, turn));
  return [...turns, ...cutTurns(results)]
    .filter((one) => one?.resume === session)
    .map((one) => one?.usage.costUsd ?? null)
    .reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** A turn that was cut and is to be run again: what it used is kept, its outcome is not. Repeatable. */
export function setAside(io: Io, results: string, turn: number): void {
  const cut = readTurn(results, turn);
  if (cut !== null) keepCut(io, results, turn, cut);
  if (existsSync(turnFile(results, turn))) io.remove(turnFile(results, turn));
}

/** What a turn used that nobody gets an outcome of. The same one, kept again, is one. */
export function keepCut(
  io: Io,
  results: string,
  turn: number,
  { resume, usage: used, ms }: Pick<TurnOutcome, 'resume' | 'usage' | 'ms'>,
): void {
  const text = `${JSON.stringify({ resume, usage: used })}\n`;
  io.replace(join(results, `cut-${turn}-${sha256(`${ms} ${text}`).slice(0, 8)}.json`), text);
}

/** What all turns that were set aside used. */
export const cutUsages = (results: string): readonly Usage[] => cutTurns(results).map((cut) => cut.usage);

const cutTurn = z.object({ resume: z.string().nullable(), usage });
const cutTurns = (results: string): readonly z.output<typeof cutTurn>[] =>
  readdirSync(results)
    .filter((name) => /^cut-\d+-[0-9a-f]{8}\.json$/.test(name))
    .map((name) => cutTurn.parse(JSON.parse(readFileSync(join(results, name), 'utf8'))));
