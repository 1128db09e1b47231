// Where a turn that was cut continues: in the provider's own session, if there is one to reopen.
//
// The session's memory says that files were changed, and they are as they were before the turn. Keeping them as the cut turn left them would save
// the agent some edits, but after a kill nothing shows that a work tree is still the agent's: a person may have changed it since, and their
// change would land as the agent's. So the tree is restored, as always, and the first message says so: it names the attempt that has what was
// undone, and how the agent brings back what is its own. What it has read, run and understood it does not pay again.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import type { Io } from '../../host/io.ts';
import type { SessionAsk } from '../../model/action.ts';
import { agentOf } from '../agent.ts';
import type { RunSettings, RunStores } from '../run-context.ts';
import { eventsIn } from '../sessions.ts';

const cutSchema = z.object({
  /** How often the turn was cut. */
  cuts: z.number(),
  /** The provider's own id of its session; null: it did not get so far that there is something to continue with. */
  session: z.nullable(z.string()),
  /** The commits of the last attempt with work, and of the state before the turn; null: it left no work. */
  undone: z.nullable(z.object({ attempt: z.string(), base: z.string() })),
  /** What the turn began from when it was begun first; left out by older versions. */
  first: z.optional(z.object({ tree: z.string(), start: z.optional(z.string()), head: z.string() })),
});
type Cut = Readonly<z.infer<typeof cutSchema>>;

const cutFile = (folder: string, turn: number): string => join(folder, `turn-${turn}.undone.json`);

export function readCut(folder: string, turn: number): Cut | null {
  const file = cutFile(folder, turn);
  return existsSync(file) ? cutSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

/** Before the mark of the turn is removed. `undone`: null where it left no work, `isLast`: no later turn of the session was begun. */
export function keepCut(
  io: Io,
  folder: string,
  turn: number,
  { undone, first, isLast }: Pick<Cut, 'undone' | 'first'> & { readonly isLast: boolean },
): void {
  const before = readCut(folder, turn);
  const session = isLast ? sessionOf(folder, turn) : null;
  const begun = before === null ? first : before.first;
  const cut: Cut = {
    cuts: (before?.cuts ?? 0) + 1,
    session,
    undone: undone ?? before?.undone ?? null,
    ...(begun === undefined ? {} : { first: begun }),
  };
  io.replace(cutFile(folder, turn), `${JSON.stringify(cut)}\n`);
}

/** By what the agent reported in this turn. Before its first answer the provider may not even have kept the prompt. */
function sessionOf(folder: string, turn: number): string | null {
  const file = join(folder, 'events.jsonl');
  if (!existsSync(file)) return null;
  const events = eventsIn(readFileSync(file, 'utf8')).filter((event) => event.turn === turn);
  const hasWorked = events.some(({ t }) => t === 'tool-end' || t === 'text');
  const last = events.findLast((event) => event.t === 'session');
  return hasWorked && last?.t === 'session' ? last.id : null;
}

export type Reopened = { readonly session: string; /** For the agent. */ readonly note: string };

/**
 * The provider's session in which this turn continues; null: it begins from the start. A scripted or replayed agent has no memory, and a recording is to be
 * played again from its own prompts.
 */
export function reopenedFor(
  context: RunSettings & Pick<RunStores, 'tape'>,
  ask: SessionAsk,
  folder: string,
): Reopened | null {
  const { provider } = agentOf(context.config, ask);
  if (context.tape !== null || provider === 'scripted' || provider === 'replay') return null;
  const cut = readCut(folder, ask.turn);
  if (cut === null || cut.session === null) return null;
  const words = context.catalogue.text('limit.reopened', cut.undone ?? {});
  return { session: cut.session, note: context.catalogue.text('limit.from-harness', { words }) };
}
