// A turn that was begun: the state before it, how a turn that was cut is undone, and how a session's commits are taken off the branch.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { discardCutTurn } from '../../agents/host/turn-results.ts';
import type { SessionAsk } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepAttempt } from '../../repos/attempts.ts';
import { readCommits } from '../../repos/message.ts';
import { restoreTree } from '../../repos/restore.ts';
import type { RunEvents, RunHost, RunRepository, RunStores } from '../run-context.ts';
import { checkpointNow } from './newer-commits.ts';
import { beforeTurnSchema } from '../record-turn.ts';
import { keepCut, readCut } from './reopened-turn.ts';

export const begunFile = (folder: string, turn: number): string => join(folder, `turn-${turn}.begun.json`);

const begunSchema = z.object({
  commit: z.string(),
  tree: z.string(),
  head: z.string(),
  branch: z.string(),
  prompt: z.optional(z.string()),
  /** The tree with the work in progress that the turn continues; left out: it is `tree`. */
  start: z.optional(z.string()),
  tape: z.optional(beforeTurnSchema),
});
export type Begun = Readonly<z.infer<typeof begunSchema>>;
export const readBegun = (folder: string, turn: number): Begun =>
  begunSchema.parse(JSON.parse(readFileSync(begunFile(folder, turn), 'utf8')));

export const wasBegun = (folder: string, turn: number): boolean => existsSync(begunFile(folder, turn));

/**
 * Undoes a turn that was begun and has no outcome, and all turns after it: the work is kept as an attempt, the tree is as before the turn.
 * Returns the private ref of the attempt; null: the turn was never begun, or left no work.
 */
export async function undoCut(
  context: RunRepository & RunStores & RunHost & RunEvents,
  ask: Pick<SessionAsk, 'item' | 'session' | 'turn'>,
  folder: string,
): Promise<Result<string | null>> {
  if (!wasBegun(folder, ask.turn)) return ok(null);
  const before = readBegun(folder, ask.turn);
  const commits = await readCommits(context.git, [`-n${MOST_NAMED}`, 'HEAD', `^${before.head}`]);
  if (!commits.ok) return commits;
  // A turn may be cut several times, and each time it leaves other work.
  const { cuts } = readCut(folder, ask.turn) ?? { cuts: 0 };
  const token = cuts === 0 ? `${folder}/${ask.turn}` : `${folder}/${ask.turn}/${cuts}`;
  const kept = await keepAttempt(context.git, {
    item: ask.item,
    session: ask.session,
    why: 'interrupted',
    base: before,
    token,
  });
  if (!kept.ok) return kept;
  const snapshot = { ...before, id: '', ref: `refs/harness/turns/${ask.session}` };
  const about = {
    item: ask.item,
    session: ask.session,
    token,
    kept: kept.value,
    isNamed: true as const,
  };
  const to = await checkpointNow(context, snapshot, about);
  if (!to.ok) return to;
  const back = await restoreTree(context.git, to.value);
  if (!back.ok) return back;
  // The last first: a crash in between leaves the first of them, which is undone again.
  let last = ask.turn;
  while (existsSync(begunFile(folder, last + 1))) last += 1;
  const undone = kept.value === null ? null : { attempt: kept.value.commit, base: before.start ?? before.tree };
  keepCut(context.io, folder, ask.turn, { undone, isLast: last === ask.turn });
  for (let turn = last; turn >= ask.turn; turn -= 1) {
    discardCutTurn(context.io, folder, turn); // before the mark of the turn: its outcome must not be taken for that of a later turn
    context.io.remove(begunFile(folder, turn));
  }
  context.notify({
    type: 'turn-undone',
    level: 'important',
    session: ask.session,
    // They may be the user's, who must be able to find them.
    data: {
      turn: ask.turn,
      attempt: kept.value?.ref ?? null,
      item: ask.item,
      number: kept.value?.number ?? null,
      commits: commits.value.map(({ subject }) => context.redact(subject).slice(0, 60)),
    },
  });
  return ok(kept.value?.ref ?? null);
}

const MOST_NAMED = 3;

/**
 * What the agent committed while its item waits is work, and no part of the branch: other items would land on top of it, and its claim would count.
 * Repeatable.
 */
export async function takeCommitsOffBranch(
  context: RunRepository & RunStores & RunHost & RunEvents,
  about: { readonly item: string; readonly session: number; readonly token: string },
): Promise<Result<null>> {
  const folder = context.sessions.pointer(about.session)?.folder;
  if (folder === undefined || !wasBegun(folder, 1)) return ok(null);
  const now = await checkpointNow(context, { ...readBegun(folder, 1), id: '', ref: '' }, about);
  return now.ok ? ok(null) : now;
}
