// The durable outcome of each turn, one file per turn. The wrapper writes it before it reports the turn, and it is read after a crash.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { TURN_ENDS, type TurnOutcome } from '../../model/action.ts';
import { failureSchema } from '../../model/failure.ts';
import { monitorStateSchema, type MonitorState } from '../monitor/monitor.ts';
import { STOPS } from '../monitor/rules.ts';
import type { SchemaFields } from './protocol.ts';

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  costUsd: z.number().nullable(),
  source: z.enum(['reported', 'partial', 'none']),
});
/** A stored outcome. */
export const turnOutcome: z.ZodType<TurnOutcome> = z.object({
  end: z.enum(TURN_ENDS),
  failure: failureSchema.nullable(),
  text: z.string(),
  head: z.string().exactOptional(),
  resume: z.string().nullable(),
  usage,
  toolCalls: z.number(),
  ms: z.number(),
  wrapUp: z.enum(STOPS).nullable().default(null),
  ownTests: z.literal('none').exactOptional(),
} satisfies SchemaFields<TurnOutcome>);
const stored = z.object({
  schema: z.literal(1),
  turn: z.number(),
  outcome: turnOutcome,
  /** The state of the session's monitor after the turn, from which the next process continues. */
  seen: monitorStateSchema.exactOptional(),
});

export const turnFile = (results: string, turn: number): string => join(results, `turn-${turn}.json`);

/** Durable on return. */
export function writeTurn(io: Io, results: string, turn: number, outcome: TurnOutcome, seen?: MonitorState): void {
  io.replace(turnFile(results, turn), `${JSON.stringify({ schema: 1, turn, outcome, seen })}\n`);
}

/** The outcome of a turn that ended, whether it was reported or not; null: the turn did not end, or its file is unreadable. */
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

/** The state of the monitor at the end of the session's last turn; null: no turn has ended yet. */
export function lastMonitorState(results: string): MonitorState | null {
  const last = Math.max(0, ...turnsIn(results));
  return last === 0 ? null : (storedTurn(results, last)?.seen ?? null);
}

const turnsIn = (results: string): readonly number[] =>
  (existsSync(results) ? readdirSync(results) : []).flatMap((name) => {
    const turn = /^turn-(\d+)\.json$/.exec(name)?.[1];
    return turn === undefined ? [] : [Number(turn)];
  });

/** What a provider's session cost in the turns with a known outcome, in US dollars; null where one of them has no cost. */
export function knownCost(results: string, session: string): number | null {
  const turns = turnsIn(results).map((turn) => readTurn(results, turn));
  return (
    [...turns, ...cutTurns(results)]
      // A cut turn that used nothing says nothing of the cost.
      .filter((one) => one?.resume === session && !(one.usage.source === 'none' && !('end' in one)))
      .map((one) => one?.usage.costUsd ?? null)
      .reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0)
  );
}

/** Before a turn that was cut runs again: keeps what it used and removes its outcome. Repeatable. */
export function discardCutTurn(io: Io, results: string, turn: number): void {
  const cut = readTurn(results, turn);
  if (cut !== null) keepCutUsage(io, results, turn, cut);
  if (existsSync(turnFile(results, turn))) io.remove(turnFile(results, turn));
}

/** Stores what a turn without an outcome used. Storing the same again has no effect. */
export function keepCutUsage(
  io: Io,
  results: string,
  turn: number,
  { resume, usage: used, ms }: Pick<TurnOutcome, 'resume' | 'usage' | 'ms'>,
): void {
  const name = sha256(`${ms} ${JSON.stringify({ resume, usage: used })}\n`).slice(0, 8);
  io.replace(join(results, `cut-${turn}-${name}.json`), `${JSON.stringify({ resume, usage: used, ms })}\n`);
}

/** `ms`: 0 in files of older programs. */
const cutTurn = z.object({ resume: z.string().nullable(), usage, ms: z.number().default(0) });
/** What the turns used that were cut. */
export const cutTurns = (results: string): readonly z.output<typeof cutTurn>[] =>
  readdirSync(results)
    .filter((name) => /^cut-\d+-[0-9a-f]{8}\.json$/.test(name))
    .map((name) => cutTurn.parse(JSON.parse(readFileSync(join(results, name), 'utf8'))));
