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
import type { RunContext } from '../run-context.ts';
import { settleLost } from '../seal.ts';
import { recordOf, writeSessionRecord } from '../records/session.ts';
import { begunSessions, windowOf } from '../sessions.ts';
import { recordCosts } from './remember.ts';
import { readBegun, undoCut, wasBegun } from './cut-turn.ts';
import { repeatable } from './repeatable.ts';

/** Every session has a first turn. */
const FIRST = 1;

export const abandons = (context: RunContext): Performer<ActionOf<Actions, 'abandon'>, AbandonOutcome> => ({
  async perform({ session, item, andLater }) {
    const withdrawn = await withdrawQuestions(context, item);
    if (!withdrawn.ok) return { blocked: withdrawn.failure };
    const numbers = andLater ? begunSessions(context.privateDir).filter((number) => number >= session) : [session];
    let outcome: AbandonOutcome = { isAbandoned: false, attempt: null };
    // The last first: the state before the first of them is the one to restore.
    for (const number of numbers.toReversed()) {
      const abandoned = await abandon(context, number, item);
      if (!abandoned.ok) return { blocked: abandoned.failure };
      const { isAbandoned, attempt } = abandoned.value;
      if (isAbandoned) outcome = { isAbandoned, attempt: attempt ?? outcome.attempt };
    }
    return outcome;
  },
  probe: repeatable,
});

async function abandon(context: RunContext, session: number, item: string | null): Promise<Result<AbandonOutcome>> {
  const known = context.sessions.pointer(session);
  if (known === null || !isUnfinished(context, session, known.folder)) return ok({ isAbandoned: false, attempt: null });
  await endOrphans(known.token);
  // Repeated after a crash until the session is recorded.
  const closed = closeTamperGuard(context.io, { into: windowOf(known.folder) });
  if (!closed.ok) return closed;
  const made = await commitOf(context, known.folder, session);
  if (!made.ok) return made;
  const undone =
    made.value === null
      ? await undoCut(context, { item, session, turn: FIRST }, known.folder)
      : await finishCommit(context, known.folder, made.value);
  if (!undone.ok) return undone;
  const attempt = undone.value;
  if (item !== null) {
    const settled = await settleLost(context, { item, session, mark: made.value?.trailers['Harness-Token'] ?? null });
    if (!settled.ok) return settled;
    const recorded = recordCosts(context, session, item);
    if (!recorded.ok) return recorded;
    const lost = { completed: false, termination: 'error', result: 'failed', reason: 'session-lost', attempt };
    writeSessionRecord(context, session, { item, ...lost, ...(made.value === null ? {} : endedWith(made.value)) });
  }
  return ok({ isAbandoned: true, attempt });
}

/** Its files are still guarded, or it has worked and what became of its work was never recorded. */
const isUnfinished = (context: RunContext, session: number, folder: string): boolean =>
  isTamperGuardOpen(windowOf(folder)) || (wasBegun(folder, FIRST) && !existsSync(recordOf(context, session)));

/** A crash after the last commit of a session leaves it unrecorded, too: then nothing of it is undone. null: there is no such commit. */
async function commitOf(context: RunContext, folder: string, session: number): Promise<Result<CommitRecord | null>> {
  if (!wasBegun(folder, FIRST)) return ok(null);
  const since = await readCommits(context.git, ['HEAD', `^${readBegun(folder, FIRST).head}`]);
  if (!since.ok) return since;
  return ok(since.value.find(({ trailers }) => trailers['Harness-Session'] === String(session)) ?? null);
}

async function finishCommit(context: RunContext, folder: string, { commit }: CommitRecord): Promise<Result<null>> {
  const finished = await finishIndex(context.git, readBegun(folder, FIRST).head, commit);
  return finished.ok ? ok(null) : finished;
}

const endedWith = ({ commit, trailers }: CommitRecord): Partial<SessionSummary> =>
  PROVISIONAL in trailers
    ? { result: 'partial', commit }
    : { completed: true, termination: 'success', result: 'landed', commit };

/** This position has not asked anything yet, so that an answer to an open question of an earlier one, lost or paused, would pass nothing. */
async function withdrawQuestions(context: Pick<RunContext, 'gates'>, item: string | null): Promise<Result<null>> {
  if (item === null) return ok(null);
  const open = context.gates.list({ open: true });
  if (!open.ok) return open;
  for (const { gate } of open.value) {
    if (gate.item !== item) continue;
    const withdrawn = await context.gates.withdraw(gate.id, 'session-lost');
    if (!withdrawn.ok && withdrawn.failure.reason !== 'gate-already-answered') return withdrawn;
  }
  return ok(null);
}
