// Bringing what is under way to an end, so that a person may have the work tree, or everything may begin anew.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMessageQueue } from '../../engine/message-queue.ts';
import { glanceAtOpen } from '../../gates/paths.ts';
import { locked, lockOwner } from '../../host/lock.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { driveLoop } from '../run/run.ts';
import { readLanes, type UnderWay } from '../look/active-sessions.ts';
import { withLane } from '../open/run-lock.ts';
import { settleState } from '../setup/migrate.ts';
import { runName } from '../open/run-name.ts';
import { stageOf } from '../look/stages.ts';
import { workerOf } from './steer.ts';
import type { Target } from '../open/target.ts';

/** Where an open question is about work that is in the work tree: it may not change until there is an answer. */
const AFTER_WORK = 'decide';
/** Where an open question comes before the session: nothing was written yet. */
const BEFORE_WORK = 'prepare';

const SILENT = { event: () => undefined, agent: () => undefined };
const LOOK_MS = 50;

/** False: somebody is still at work when the time is over. */
export async function waitUntilFree(target: Target, ms: number, signal: AbortSignal): Promise<boolean> {
  for (const until = target.clock.now() + ms; ; await sleep(LOOK_MS)) {
    if (lockOwner(target.privateDir) === null) return true;
    if (target.clock.now() > until || signal.aborted) return false;
  }
}

/**
 * Ends sessions that nobody works on any more: what an agent was writing is committed as work in progress, what was being
 * landed or rolled back is. Answers what is left: items that wait at a question before their session. Fails with
 * `session-at-gate` where one waits in the middle of its session, and with `locked` while a run works.
 */
export async function endSessions(target: Target, command: string): Promise<Result<readonly UnderWay[]>> {
  const worker = workerOf(target);
  const owner = lockOwner(target.privateDir);
  if (worker !== null && worker.run !== null && owner !== null) return err(locked(owner));
  const left = async (): Promise<Result<readonly UnderWay[]>> => {
    const { underWay } = await readLanes(target.privateDir);
    const asked = underWay.find((one) => isAskedIn(target, one, AFTER_WORK));
    return asked === undefined ? ok(underWay) : err(failure('session-at-gate', { item: asked.item }));
  };
  const before = await left();
  if (!before.ok) return before;
  const isOver = before.value.every((one) => isAskedIn(target, one, BEFORE_WORK));
  if (isOver) return before;
  const run = runName(target.clock, 'c');
  const ended = await withLane(target, run, command, 'box', SILENT, async ({ lane }) => {
    const state = await settleState(target, lane);
    if (!state.ok) return state;
    const messages = createMessageQueue();
    messages.post({ type: 'pause' });
    const mode = { work: true, only: null, untilDone: false, maxSessions: 1, maxItems: null };
    const end = await driveLoop(target, lane, mode, { run, messages, signal: new AbortController().signal });
    return end.end === 'blocked' ? err(end.failure) : ok(null);
  });
  return ended.ok ? left() : ended;
}

/** Whether a question about the item is open in this stage. */
const isAskedIn = ({ privateDir }: Target, one: UnderWay, stage: string): boolean =>
  stageOf(privateDir, one).stage === stage &&
  glanceAtOpen(join(privateDir, 'gates')).some(({ item }) => item === one.item);
