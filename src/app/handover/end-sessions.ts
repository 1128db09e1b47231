// Ends active sessions, so that the user can take the work tree or everything can be reset.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMessageQueue } from '../../engine/message-queue.ts';
import { glanceAtOpen } from '../../gates/paths.ts';
import { locked, lockOwner } from '../../host/lock.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { driveLoop } from '../run/run.ts';
import { readActiveSessions, type ActiveSession } from '../look/active-sessions.ts';
import { withRunLock } from '../open/run-lock.ts';
import { migrateBeforeRun } from '../setup/migrate.ts';
import { NO_WATCHER } from '../open/run-context.ts';
import { runName } from '../open/run-name.ts';
import { stageOf } from '../look/session-details.ts';
import { workerOf } from './steer.ts';
import { workspaceOf } from '../../repos/folders.ts';
import type { Target } from '../open/target.ts';

/** A gate in this stage is about work in the tree: the tree must not change before the answer. */
const AFTER_WORK = 'decide';
/** A gate in this stage comes before the session: nothing is written yet. */
const BEFORE_WORK = 'prepare';

const POLL_MS = 50;

/** False: another process still held the lock after `ms` milliseconds. */
export async function waitUntilFree(target: Target, ms: number, signal: AbortSignal): Promise<boolean> {
  for (const until = target.clock.now() + ms; ; await sleep(POLL_MS)) {
    if (lockOwner(target.workspaceDir) === null) return true;
    if (target.clock.now() > until || signal.aborted) return false;
  }
}

/**
 * Ends interrupted sessions: an agent's unfinished work is committed as work in progress; landings and rollbacks are completed.
 * Returns the sessions that remain: items with a gate before their session. Fails with `session-at-gate` if one waits in the
 * middle of its session, and with `locked` during a run.
 */
export async function endSessions(target: Target, command: string): Promise<Result<readonly ActiveSession[]>> {
  const worker = workerOf(target);
  const owner = lockOwner(target.workspaceDir);
  if (worker !== null && worker.run !== null && owner !== null) return err(locked(owner));
  const left = async (): Promise<Result<readonly ActiveSession[]>> => {
    const { sessions } = await readActiveSessions(target.workspaceDir);
    const asked = sessions.find((one) => isAskedIn(target, one, AFTER_WORK));
    return asked === undefined ? ok(sessions) : err(failure('session-at-gate', { item: asked.item }));
  };
  const before = await left();
  if (!before.ok) return before;
  const isOver = before.value.every((one) => isAskedIn(target, one, BEFORE_WORK));
  if (isOver) return before;
  const run = runName(target.clock, 'c');
  const ended = await withRunLock(
    target,
    run,
    command,
    'box',
    NO_WATCHER,
    async ({ context }) => {
      const state = await migrateBeforeRun(target, context);
      if (!state.ok) return state;
      const messages = createMessageQueue();
      messages.post({ type: 'pause' });
      const mode = { work: true, only: null, untilDone: false, maxSessions: 1, maxItems: null };
      const end = await driveLoop(target, context, mode, { run, messages, signal: new AbortController().signal });
      return end.end === 'blocked' ? err(end.failure) : ok(null);
    },
    'agents',
  );
  return ended.ok ? left() : ended;
}

/** Whether the item has an open gate in this stage. */
const isAskedIn = (target: Target, one: ActiveSession, stage: string): boolean =>
  stageOf(target.workspaceDir, one).stage === stage &&
  glanceAtOpen(join(target.privateDir, 'gates'), workspaceOf(target)).some(({ item }) => item === one.item);
