// A session that an earlier process left open and that no position knows any more, since the journal was lost or written by another version:
// its agent is ended, its work is kept as an attempt, and the tree is as it was before it. Questions about the item that nothing waits for any
// more are withdrawn.
import { existsSync } from 'node:fs';
import { PROVISIONAL } from '../../model/provisional.ts';
import { finishIndex } from '../../repos/commit.ts';
import { readCommits, type CommitRecord } from '../../repos/message.ts';
import { endOrphans } from '../../host/process-tree.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { AbandonOutcome, Actions, SessionSummary } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import { closeTamperGuard, isTamperGuardOpen } from '../../verify/tamper-guard.ts';
import type { Lane } from '../lane.ts';
import { settleLost } from '../seal.ts';
import { recordOf, writeSessionRecord } from '../records/session.ts';
import { begunSessions, windowOf } from '../sessions.ts';
import { recordCosts } from './remember.ts';
import { readBegun, undoCut, wasBegun } from './cut-turn.ts';
import { repeatable } from './repeatable.ts';

/** Every session has a first turn. */
const FIRST = 1;

export const abandons = (lane: Lane): Performer<ActionOf<Actions, 'abandon'>, AbandonOutcome> => ({
  async perform({ session, item, andLater }) {
    const withdrawn = await withdrawQuestions(lane, item);
    if (!withdrawn.ok) return { blocked: withdrawn.failure };
    const numbers = andLater ? begunSessions(lane.privateDir).filter((number) => number >= session) : [session];
    let outcome: AbandonOutcome = { isAbandoned: false, attempt: null };
    // The last first: the state before the first of them is the one to restore.
    for (const number of numbers.toReversed()) {
      const abandoned = await abandon(lane, number, item);
      if (!abandoned.ok) return { blocked: abandoned.failure };
      const { isAbandoned, attempt } = abandoned.value;
      if (isAbandoned) outcome = { isAbandoned, attempt: attempt ?? outcome.attempt };
    }
    return outcome;
  },
  probe: repeatable,
});

async function abandon(lane: Lane, session: number, item: string | null): Promise<Result<AbandonOutcome>> {
  const known = lane.sessions.pointer(session);
  if (known === null || !isUnfinished(lane, session, known.folder)) return ok({ isAbandoned: false, attempt: null });
  await endOrphans(known.token);
  // Repeated after a crash until the session is recorded.
  const closed = closeTamperGuard(lane.io, { into: windowOf(known.folder) });
  if (!closed.ok) return closed;
  const made = await commitOf(lane, known.folder, session);
  if (!made.ok) return made;
  const undone =
    made.value === null
      ? await undoCut(lane, { item, session, turn: FIRST }, known.folder)
      : await finishCommit(lane, known.folder, made.value);
  if (!undone.ok) return undone;
  const attempt = undone.value;
  if (item !== null) {
    const settled = await settleLost(lane, { item, session, mark: made.value?.trailers['Harness-Token'] ?? null });
    if (!settled.ok) return settled;
    const recorded = recordCosts(lane, session, item);
    if (!recorded.ok) return recorded;
    const lost = { completed: false, termination: 'error', result: 'failed', reason: 'session-lost', attempt };
    writeSessionRecord(lane, session, { item, ...lost, ...(made.value === null ? {} : endedWith(made.value)) });
  }
  return ok({ isAbandoned: true, attempt });
}

/** Its files are still guarded, or it has worked and what became of its work was never recorded. */
const isUnfinished = (lane: Lane, session: number, folder: string): boolean =>
  isTamperGuardOpen(windowOf(folder)) || (wasBegun(folder, FIRST) && !existsSync(recordOf(lane, session)));

/** A crash after the last commit of a session leaves it unrecorded, too: then nothing of it is undone. null: there is no such commit. */
async function commitOf(lane: Lane, folder: string, session: number): Promise<Result<CommitRecord | null>> {
  if (!wasBegun(folder, FIRST)) return ok(null);
  const since = await readCommits(lane.git, ['HEAD', `^${readBegun(folder, FIRST).head}`]);
  if (!since.ok) return since;
  return ok(since.value.find(({ trailers }) => trailers['Harness-Session'] === String(session)) ?? null);
}

async function finishCommit(lane: Lane, folder: string, { commit }: CommitRecord): Promise<Result<null>> {
  const finished = await finishIndex(lane.git, readBegun(folder, FIRST).head, commit);
  return finished.ok ? ok(null) : finished;
}

const endedWith = ({ commit, trailers }: CommitRecord): Partial<SessionSummary> =>
  PROVISIONAL in trailers
    ? { result: 'partial', commit }
    : { completed: true, termination: 'success', result: 'landed', commit };

/** This position has not asked anything yet, so that an answer to an open question of an earlier one, lost or paused, would pass nothing. */
async function withdrawQuestions(lane: Pick<Lane, 'gates'>, item: string | null): Promise<Result<null>> {
  if (item === null) return ok(null);
  const open = lane.gates.list({ open: true });
  if (!open.ok) return open;
  for (const { gate } of open.value) {
    if (gate.item !== item) continue;
    const withdrawn = await lane.gates.withdraw(gate.id, 'session-lost');
    if (!withdrawn.ok && withdrawn.failure.reason !== 'gate-already-answered') return withdrawn;
  }
  return ok(null);
}
