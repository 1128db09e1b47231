// How a turn that was cut is undone, and how a session's commits are taken off the branch.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { discardCutTurn } from '../../agents/host/turn-results.ts';
import type { SessionAsk } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepAttempt } from '../../repos/attempts.ts';
import { asNull } from '../../repos/head.ts';
import { readCommits } from '../../repos/message.ts';
import { restoreTree } from '../../repos/restore.ts';
import type { RunEvents, RunHost, RunRepository, RunSettings, RunStores } from '../run-context.ts';
import { checkpointNow, takeOffBranch } from './newer-commits.ts';
import { begunFile, FIRST_TURN, readBegun, wasBegun } from './begun-turn.ts';
import { keepCut, readCut } from './reopened-turn.ts';
import { usersFiles } from './users-files.ts';

/** The mark of a session of no item whose work was taken back at its end: it is recorded nowhere, and nothing of it is left. */
const takenBackFile = (folder: string): string => join(folder, 'taken-back.json');
export const isTakenBack = (folder: string): boolean => existsSync(takenBackFile(folder));
export const noteTakenBack = ({ io }: RunHost, folder: string, attempt: string | null): void =>
  io.replace(takenBackFile(folder), `${JSON.stringify({ attempt })}\n`);

/**
 * Undoes a turn that was begun and has no outcome, and all turns after it: the work is kept as an attempt, the tree is as before the turn.
 * Returns the private ref of the attempt; null: the turn was never begun, or left no work.
 */
export async function undoCut(
  context: RunRepository & RunStores & RunHost & RunEvents & RunSettings,
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
  const theirs = await usersFiles(context, ask.session);
  if (!theirs.ok) return theirs;
  const { users } = theirs.value;
  const kept = await keepAttempt(context.git, {
    item: ask.item,
    session: ask.session,
    why: 'interrupted',
    base: before,
    token,
    without: users,
  });
  if (!kept.ok) return kept;
  const snapshot = { ...before, id: '', ref: `refs/harness/turns/${ask.session}` };
  const about = {
    item: ask.item,
    session: ask.session,
    token,
    kept: kept.value,
    isNamed: true as const,
    continues: true as const,
  };
  const to = await checkpointNow(context, snapshot, about);
  if (!to.ok) return to;
  const back = await restoreTree(context.git, to.value, { keep: users });
  if (!back.ok) return back;
  // The last first: a crash in between leaves the first of them, which is undone again.
  let last = ask.turn;
  while (existsSync(begunFile(folder, last + 1))) last += 1;
  const undone = kept.value === null ? null : { attempt: kept.value.commit, base: before.start ?? before.tree };
  const { tree, start, head } = before;
  const first = { tree, head, ...(start === undefined ? {} : { start }) };
  keepCut(context.io, folder, ask.turn, { undone, first, isLast: last === ask.turn });
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
  if (folder === undefined || !wasBegun(folder, FIRST_TURN)) return ok(null);
  return asNull(await takeOffBranch(context, readBegun(folder, FIRST_TURN), about));
}
