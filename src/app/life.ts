// One life over a target: from lock to release, with nobody of an earlier life left and everything closed at the end.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../host/lock.ts';
import { endSurvivors } from '../host/survivors.ts';
import type { Result } from '../model/result.ts';
import { sweepLocks } from '../repos/sweep.ts';
import { openLane, type OpenLane, type Watcher } from './lane.ts';
import type { Target } from './target.ts';

/** Loops keep their own journals; older ones of finished items are dropped beyond this many. */
const KEPT_JOURNALS = 50;

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
export const tokenBase = (target: Target): string => `${target.privateDir}#`;

function prune(target: Target): void {
  const folder = join(target.privateDir, 'items');
  if (!existsSync(folder)) return;
  const names = readdirSync(folder).sort();
  for (const name of names.slice(0, Math.max(0, names.length - KEPT_JOURNALS)))
    rmSync(join(folder, name), { force: true });
}
