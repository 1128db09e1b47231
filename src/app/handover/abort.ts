// Ends everything: the live run, active sessions, and all stored progress. Commits, attempts, evidence, logs, costs and records
// are kept; unfinished work is kept as an attempt.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rollbacks } from '../../loop/performers/checkpoint.ts';
import { closes } from '../../loop/performers/close-session.ts';
import { memories } from '../../loop/performers/remember.ts';
import { contextIn, type RunContext } from '../../loop/run-context.ts';
import { pointerOf } from '../../loop/sessions.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { keepAttempt, listAttempts } from '../../repos/attempts.ts';
import { parkedAsAttempt, parkedWork } from '../../repos/parked.ts';
import { treeOf } from '../../repos/tree.ts';
import { beginAbort, finishAbort, isInitUnfinished, dropHandoff, clearPaused } from '../open/run-blockers.ts';
import { resetLoop, resetSessionState } from '../run/reset-loop.ts';
import { done, waiting } from '../list/inbox.ts';
import { parkedItems, unfinishedSessions } from '../open/unfinished-sessions.ts';
import { readState } from '../look/state-summary.ts';
import { readActiveSessions, type ActiveSession } from '../look/active-sessions.ts';
import { tokenBase, withRunLock } from '../open/run-lock.ts';
import { NO_WATCHER } from '../open/run-context.ts';
import { runName } from '../open/run-name.ts';
import { checkpointOf, stageOf } from '../look/session-details.ts';
import { stop, type Worker } from './steer.ts';
import type { Target } from '../open/target.ts';
import { endSessions, waitUntilFree } from './end-sessions.ts';

export type AbortReport = {
  /** The stopped run; null: none was live. */
  readonly worker: Worker | null;
  readonly sessions: readonly {
    readonly item: ItemId;
    readonly session: number;
    /** The ref that keeps its work; null: there was none. */
    readonly attempt: string | null;
    /** The work tree was left as it is: HEAD had moved since the session started, or the next run continues from the tree. */
    readonly isLeft: boolean;
  }[];
  /** Withdrawn gates. */
  readonly gates: readonly string[];
};

const COMMAND = 'harness abort';
const WHY = 'aborted';
const MOST_WAIT_MS = 30_000;
/** A session in this stage is being landed, saved or rolled back: it ends before the abort continues. */
const CLOSING = 'close';

/** Fails with `locked` if another process does not stop, with `init-unfinished`, and with `state-newer`. */
export async function abort(target: Target): Promise<Result<AbortReport>> {
  if (isInitUnfinished(target)) return err(failure('init-unfinished'));
  const { stateDir, workspaceDir, config } = target;
  const state = readState({ stateDir, onNewerState: config.compatibility.onNewerState });
  if (!state.ok && state.failure.reason === 'state-newer') return state;
  const { worker } = await stop(target, true);
  await waitUntilFree(target, worker === null ? 1_000 : MOST_WAIT_MS, new AbortController().signal);
  const active = await readActiveSessions(workspaceDir);
  if (active.sessions.some((one) => stageOf(workspaceDir, one).stage === CLOSING)) {
    const ended = await endSessions(target, COMMAND);
    if (!ended.ok && ended.failure.reason !== 'session-at-gate') return ended;
  }
  return withRunLock(
    target,
    runName(target.clock, 'c'),
    COMMAND,
    'no-box',
    NO_WATCHER,
    async ({ context }) => {
      // Blocks every other command until the abort is complete.
      beginAbort(target);
      const sessions: AbortReport['sessions'][number][] = [];
      for (const one of (await readActiveSessions(workspaceDir)).sessions) {
        const place = await contextIn(context, one.lane, one.item);
        if (!place.ok) return place;
        const abandoned = await abandon(target, place.value, one);
        if (!abandoned.ok) return abandoned;
        sessions.push({ item: one.item, session: one.session, ...abandoned.value });
      }
      for (const one of parkedItems(workspaceDir)) {
        const { item, session } = one;
        const work = { ...parkedWork(workspaceDir, one), session, why: WHY };
        const attempt = await parkedAsAttempt(context.git, work);
        if (!attempt.ok) return attempt;
        const asActive = { item, session, lane: 0, attempt: attempt.value };
        const over = isStarted(target, session) ? await closeSession(target, context, asActive) : ok(null);
        if (!over.ok) return over;
        sessions.push({ item, session, attempt: attempt.value, isLeft: false });
      }
      resetSessionState(target, lastSession(target, sessions));
      const gates = await resetLoop(target, 'aborted');
      if (!gates.ok) return gates;
      for (const { id, message } of waiting(workspaceDir))
        if (message.type !== 'change') done(workspaceDir, target.io, id);
      dropHandoff(target);
      clearPaused(target);
      finishAbort(target);
      context.notify({ type: 'aborted', level: 'critical', data: { sessions: toJson(sessions) } });
      return ok({ worker, sessions, gates: gates.value });
    },
    'agents',
  );
}

/** Keeps the session's work as an attempt and restores the tree, unless HEAD has moved: commits stay. */
async function abandon(
  target: Target,
  context: RunContext,
  one: ActiveSession,
): Promise<Result<{ readonly attempt: string | null; readonly isLeft: boolean }>> {
  const { item, session } = one;
  const checkpoint = checkpointOf(target.workspaceDir, one);
  if (checkpoint === null) return leaveWork(target, context, one);
  const { commit, branch } = await context.view.head();
  const isLeft = commit !== checkpoint.head || (branch ?? '') !== checkpoint.branch;
  const kept = await keepAndRestore(context, { item, session, checkpoint, isLeft });
  if (!kept.ok) return kept;
  const over = await closeSession(target, context, { ...one, attempt: kept.value });
  if (!over.ok) return over;
  return ok({ attempt: kept.value, isLeft });
}

/** For an item that keeps its work in the tree between sessions: nothing is undone, the next run continues from there. */
async function leaveWork(
  target: Target,
  context: RunContext,
  one: ActiveSession,
): Promise<Result<{ readonly attempt: null; readonly isLeft: boolean }>> {
  const started = unfinishedSessions(target.workspaceDir, one.item).filter((session) => isStarted(target, session));
  for (const session of started) {
    const over = await closeSession(target, context, { ...one, session, attempt: null });
    if (!over.ok) return over;
  }
  return ok({ attempt: null, isLeft: started.length > 0 });
}

/** The session was started and has no record of its end. */
const isStarted = ({ workspaceDir, stateDir }: Target, session: number): boolean =>
  pointerOf(workspaceDir, session) !== null && !existsSync(join(stateDir, 'sessions', String(session), 'session.json'));

/** Restores protected files and records the end of the session. */
async function closeSession(
  target: Target,
  context: RunContext,
  one: ActiveSession & { readonly attempt: string | null },
): Promise<Result<null>> {
  const { item, session, attempt } = one;
  const about = { token: `${tokenBase(target)}abort`, epoch: 0, signal: new AbortController().signal };
  const closed = await closes(context).perform({ kind: 'close', key: 'abort', session }, about);
  if ('blocked' in closed) return err(closed.blocked);
  const at = target.clock.iso();
  const startedAt = stageOf(target.workspaceDir, one).since ?? at;
  const ended = { result: 'failed', reason: 'aborted', termination: 'user_pause', completed: false };
  const summary = { item, startedAt, endedAt: at, attempt, ...ended };
  const remember = { kind: 'remember', session } as const;
  for (const ask of [
    { ...remember, key: 'abort-costs', what: 'costs', item },
    { ...remember, key: 'abort-session', what: 'session', summary },
  ] as const) {
    const written = await memories(context).perform(ask, about);
    if ('blocked' in written) return err(written.blocked);
  }
  return ok(null);
}

/** The token contains the current tree: edits made after a crash in the middle of this become an attempt of their own. */
async function keepAndRestore(
  context: RunContext,
  ask: { readonly item: ItemId; readonly session: number; readonly checkpoint: Checkpoint; readonly isLeft: boolean },
): Promise<Result<string | null>> {
  const { item, session, checkpoint, isLeft } = ask;
  const tree = await treeOf(context.git);
  const token = `${context.workspaceDir}#abort/${item}-s${session}/${tree.ok ? tree.value : 'nested'}`;
  const known = await listAttempts(context.git, item);
  if (!known.ok) return known;
  // An interrupted abort may have kept it already.
  const before = known.value.findLast((one) => one.session === session && one.why === WHY)?.ref ?? null;
  if (isLeft) {
    const kept = await keepAttempt(context.git, { item, session, why: WHY, base: checkpoint, token });
    return kept.ok ? ok(kept.value?.ref ?? before) : kept;
  }
  const about = { token, epoch: 0, signal: new AbortController().signal };
  const back = await rollbacks(context).perform(
    { kind: 'rollback', key: 'abort', checkpoint, item, session, why: WHY },
    about,
  );
  return 'blocked' in back ? err(back.blocked) : 'parked' in back ? ok(null) : ok(back.attempt ?? before);
}

/** Session records are named by number: no number is reused, whatever the state says. */
function lastSession({ stateDir }: Target, sessions: AbortReport['sessions']): number {
  const folder = join(stateDir, 'sessions');
  const kept = existsSync(folder) ? readdirSync(folder).map(Number).filter(Number.isInteger) : [];
  return Math.max(0, ...kept, ...sessions.map(({ session }) => session));
}
