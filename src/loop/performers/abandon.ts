// Sessions that an earlier process left open and that no position knows, because the journal was lost or written by another version:
// the agent is ended, the work is kept as an attempt and undone. Open questions about the item are withdrawn.
import { existsSync } from 'node:fs';
import { PROVISIONAL } from '../../model/provisional.ts';
import { findWip } from '../../repos/wip.ts';
import { finishIndex } from '../../repos/commit.ts';
import { readCommits, type CommitRecord } from '../../repos/message.ts';
import { endOrphans } from '../../host/process-tree.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { AbandonOutcome, Actions } from '../../model/action.ts';
import type { SessionSummary } from '../../model/remember.ts';
import { ok, type Result } from '../../model/result.ts';
import { closeTamperGuard, hasTamperGuard, isTamperGuardOpen } from '../../verify/tamper-guard.ts';
import type { RunContext, RunEvents, RunHost, RunRepository, RunSettings, RunStores } from '../run-context.ts';
import { settleLost } from '../seal.ts';
import { recordOf, writeSessionRecord } from '../records/session.ts';
import { guardOf } from '../sessions.ts';
import { processToken } from '../token.ts';
import { withdrawQuestions } from '../questions.ts';
import { recordCosts } from './remember.ts';
import { FIRST_TURN, readBegun, wasBegun } from './begun-turn.ts';
import { isTakenBack, undoCut } from './cut-turn.ts';
import { repeatable } from './repeatable.ts';

export type LostSession = {
  readonly session: number;
  readonly item: string | null;
  /** Of its turns, in the private folder. */
  readonly folder: string;
  readonly token: string;
};
type SessionCommit = { readonly commit: string; /** It keeps work in progress. */ readonly isWip: boolean };
/** `commit`: its last one, which is kept. Otherwise its work is undone, and `attempt` is the private ref of that work. */
export type SettledSession = {
  readonly attempt: string | null;
  readonly commit: SessionCommit | null;
};
type Settle = (lost: LostSession) => Promise<Result<SettledSession>>;

export const abandons = (
  context: RunContext,
  settle: Settle = (lost) => settleSession(context, lost),
): Performer<ActionOf<Actions, 'abandon'>, AbandonOutcome> => ({
  async perform({ session, item, andLater }) {
    const withdrawn = await withdrawQuestions(context, item, 'session-lost');
    if (!withdrawn.ok) return { blocked: withdrawn.failure };
    const numbers = andLater ? context.sessions.begun(session) : [session];
    const ended: { readonly number: number; readonly settled: SettledSession }[] = [];
    // The last first: the state before the first of them is the one to restore.
    for (const number of numbers.toReversed()) {
      const known = context.sessions.pointer(number);
      if (known === null || !isUnfinished(context, { session: number, item, folder: known.folder })) continue;
      const settled = await settle({ session: number, item, folder: known.folder, token: known.token });
      if (!settled.ok) return { blocked: settled.failure };
      ended.push({ number, settled: settled.value });
    }
    // After the files of all sessions were put back: the costs are one of them.
    if (item !== null)
      for (const { number, settled } of ended) {
        const recorded = record(context, number, item, settled);
        if (!recorded.ok) return { blocked: recorded.failure };
      }
    const attempt = ended.findLast(({ settled }) => settled.attempt !== null)?.settled.attempt ?? null;
    return { isAbandoned: ended.length > 0, attempt };
  },
  probe: repeatable,
});

/** Repeated after a crash until the session is recorded. */
async function settleSession(
  context: RunRepository & RunStores & RunHost & RunEvents & RunSettings,
  { session, item, folder, token }: LostSession,
): Promise<Result<SettledSession>> {
  await endOrphans(processToken(context, token));
  const closed = closeTamperGuard(context.io, { into: guardOf(folder) });
  if (!closed.ok) return closed;
  const commit = await commitOf(context, folder, session);
  if (!commit.ok) return commit;
  const undone =
    commit.value === null
      ? await undoCut(context, { item, session, turn: FIRST_TURN }, folder)
      : await finishCommit(context, folder, commit.value);
  if (!undone.ok) return undone;
  if (item !== null) {
    const settled = await settleLost(context, { item, session, mark: commit.value?.trailers['Harness-Token'] ?? null });
    if (!settled.ok) return settled;
  }
  if (commit.value !== null) {
    const { commit: id, trailers } = commit.value;
    // An older version saved work on the branch.
    return ok({ attempt: undone.value, commit: { commit: id, isWip: PROVISIONAL in trailers } });
  }
  if (item === null) return ok({ attempt: undone.value, commit: null });
  const wip = await findWip(context.git, item);
  if (!wip.ok) return wip;
  // It was saved already.
  const saved = wip.value?.session === session ? { commit: wip.value.commit, isWip: true } : null;
  return ok({ attempt: undone.value, commit: saved });
}

function record(
  context: RunContext,
  session: number,
  item: string,
  { attempt, commit }: SettledSession,
): Result<unknown> {
  const costs = recordCosts(context, session, item);
  if (!costs.ok) return costs;
  const lost = { completed: false, termination: 'error', result: 'failed', reason: 'session-lost', attempt };
  return writeSessionRecord(context, session, { item, ...lost, ...(commit === null ? {} : endedWith(commit)) });
}

/**
 * Its files are still guarded, or it has worked and has no record. A session that was settled here and not recorded before a crash has
 * no mark of its first turn any more. Sessions of no item are never recorded; those that ended without a commit were taken back.
 */
const isUnfinished = (
  context: RunRepository,
  { session, item, folder }: Pick<LostSession, 'session' | 'item' | 'folder'>,
): boolean =>
  isTamperGuardOpen(guardOf(folder)) ||
  (!existsSync(recordOf(context, session)) &&
    !isTakenBack(folder) &&
    (wasBegun(folder, FIRST_TURN) || (item !== null && hasTamperGuard(guardOf(folder)))));

/** The last commit of the session; it is not undone. null: none. */
async function commitOf(context: RunRepository, folder: string, session: number): Promise<Result<CommitRecord | null>> {
  if (!wasBegun(folder, FIRST_TURN)) return ok(null);
  const since = await readCommits(context.git, ['HEAD', `^${readBegun(folder, FIRST_TURN).head}`]);
  if (!since.ok) return since;
  return ok(since.value.find(({ trailers }) => trailers['Harness-Session'] === String(session)) ?? null);
}

async function finishCommit(context: RunRepository, folder: string, { commit }: CommitRecord): Promise<Result<null>> {
  const finished = await finishIndex(context.git, readBegun(folder, FIRST_TURN).head, commit);
  return finished.ok ? ok(null) : finished;
}

const endedWith = ({ commit, isWip }: SessionCommit): Partial<SessionSummary> =>
  isWip ? { result: 'partial', commit } : { completed: true, termination: 'success', result: 'landed', commit };
