// One run: from lock to release. Finds and ends what an earlier life left, then drives the loop's machine to its end.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { drive, type DriveEnd } from '../engine/driver.ts';
import { createMailbox, type Mailbox } from '../engine/mailbox.ts';
import { acquireLock } from '../host/lock.ts';
import { endSurvivors } from '../host/survivors.ts';
import {
  emptyLoop,
  loopMachine,
  type ItemReport,
  type LoopFile,
  type RunMode,
  type RunResult,
} from '../loop/machine.ts';
import { performersOf } from '../loop/performers/all.ts';
import type { Failure } from '../model/failure.ts';
import { failure } from '../model/failure.ts';
import type { Json } from '../model/json.ts';
import { err, ok, type Result } from '../model/result.ts';
import { sweepLocks } from '../repos/sweep.ts';
import { done, waiting, watchInbox } from './inbox.ts';
import { openLane, type OpenLane, type Watcher } from './lane.ts';
import { isPaused, setPaused } from './steering.ts';
import type { Target } from './target.ts';

export type RunReport = {
  readonly run: string;
  readonly result: RunResult;
  readonly reason: string;
  readonly failure: Failure | null;
  readonly items: readonly ItemReport[];
  /** Gates that the run waits at. */
  readonly gates: readonly string[];
};
export type RunControl = { readonly mailbox: Mailbox; readonly stop: AbortController };
export const createControl = (): RunControl => ({ mailbox: createMailbox(), stop: new AbortController() });

/** Loops keep their own journals; older ones of finished items are dropped beyond this many. */
const KEPT_JOURNALS = 50;

export async function runLoop(
  target: Target,
  mode: RunMode,
  command: string,
  control: RunControl,
  watcher: Watcher,
): Promise<Result<RunReport>> {
  const [needed] = target.needed;
  if (mode.work && needed) return err(needed);
  if (mode.work && isPaused(target)) return err(failure('paused'));
  const run = `r-${target.clock.iso().slice(0, 19).replace(/\D/g, '')}-${randomBytes(2).toString('hex')}`;
  return withLane(target, run, command, watcher, async ({ lane }) => {
    const inbox = watchInbox(target.privateDir, () => read(target, control));
    try {
      const { features, stateDir } = target.config.paths;
      const machine = loopMachine(mode, run, { features, stateDir });
      const end = await drive(machine, () => emptyLoop(run), {
        io: target.io,
        clock: target.clock,
        performers: performersOf(lane, control.mailbox),
        journal: join(target.privateDir, 'loop.jsonl'),
        file: join(target.privateDir, 'loop.json'),
        base: `${tokenBase(target)}${run}`,
        mailbox: control.mailbox,
        signal: control.stop.signal,
        limit: 1,
      });
      return ok(reportOf(run, end));
    } finally {
      inbox.close();
    }
  });
}

/** Opens the lane under the lock, with nobody of an earlier life left, and closes both whatever happens. */
export async function withLane<T>(
  target: Target,
  run: string,
  command: string,
  watcher: Watcher,
  use: (open: OpenLane) => Promise<Result<T>>,
): Promise<Result<T>> {
  const owner = { pid: process.pid, startedAt: target.clock.iso(), command, run };
  const lock = acquireLock(target.privateDir, owner);
  if (!lock.ok) return lock;
  try {
    await endSurvivors(tokenBase(target));
    sweepLocks(target.git, target.clock.now());
    prune(target);
    const open = await openLane(target, run, `${tokenBase(target)}${run}`, watcher);
    if (!open.ok) return open;
    try {
      return await use(open.value);
    } finally {
      await open.value.close();
    }
  } finally {
    lock.value.release();
  }
}

/** Every process of a run is found by this: the repository's private folder names it on this machine. */
const tokenBase = (target: Target): string => `${target.privateDir}#`;

/** What people posted becomes messages of the loop; a message is gone from the inbox once the loop has it. */
function read(target: Target, control: RunControl): void {
  for (const { id, message } of waiting(target.privateDir)) {
    const forget = (): void => done(target.privateDir, target.io, id);
    switch (message.type) {
      case 'pause':
        setPaused(target);
        control.mailbox.post({ type: 'pause' });
        forget();
        break;
      case 'stop':
        if (message.now) control.stop.abort();
        else control.mailbox.post({ type: 'pause' });
        forget();
        break;
      case 'change': // until the loop has it in its own file, only the inbox has it
        control.mailbox.post(
          {
            type: 'message',
            id,
            body: { subject: message.subject, item: message.item, edit: message.edit } as unknown as Json,
          },
          forget,
        );
        break;
    }
  }
}

function reportOf(run: string, end: DriveEnd): RunReport {
  const none = { run, failure: null, items: [], gates: [] };
  switch (end.end) {
    case 'verdict': {
      const state = end.state as { file: LoopFile; at: { failure?: Failure | null } };
      return {
        ...none,
        result: end.verdict as RunResult,
        reason: end.reason,
        failure: state.at.failure ?? null,
        items: state.file.reports,
      };
    }
    case 'waiting':
      return { ...none, result: 'gate', reason: 'gate', gates: end.on };
    case 'stopped':
      return { ...none, result: 'paused', reason: 'stopped' };
    case 'blocked':
      return { ...none, result: 'blocked', reason: end.failure.reason, failure: end.failure };
  }
}

function prune(target: Target): void {
  const folder = join(target.privateDir, 'items');
  if (!existsSync(folder)) return;
  const names = readdirSync(folder).sort();
  for (const name of names.slice(0, Math.max(0, names.length - KEPT_JOURNALS)))
    rmSync(join(folder, name), { force: true });
}
