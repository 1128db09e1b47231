// One life over a target: from lock to release, with nobody of an earlier life left and everything closed at the end.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sweepBoxes } from '../../host/box.ts';
import { takeDirectoryLocks, type DirectoryLocks } from '../../host/directory-lock.ts';
import { removeStaleBelow, removeStaleNextTo } from '../../host/stale-files.ts';
import { acquireLock } from '../../host/lock.ts';
import { sweepCanaries } from '../../host/sandbox/canary.ts';
import { endOrphans } from '../../host/process-tree.ts';
import type { Result } from '../../model/result.ts';
import { sweepCopies } from '../../repos/copies.ts';
import { sweepTreeCopies } from '../../repos/copy.ts';
import { makeOwnRepository } from '../../repos/own-repository.ts';
import { retire } from '../../repos/retire.ts';
import { sweepLocks, sweepObjects } from '../../repos/sweep.ts';
import { openLane, type OpenLane, type Watcher } from './lane.ts';
import type { Need } from './sandbox.ts';
import { settleWindows } from './unfinished-sessions.ts';
import type { Target } from './target.ts';

/** Older journals of items, and older evidence folders, are dropped beyond so many. What landed has its bundle for good. */
const KEPT = { items: 50, evidence: 500 };

/** Opens the lane under the lock, with the box that is needed, with nobody of an earlier life left, and closes both whatever happens. */
export async function withLane<T>(
  target: Target,
  run: string,
  command: string,
  need: Need,
  watcher: Watcher,
  use: (open: OpenLane & { readonly beside: DirectoryLocks | null }) => Promise<Result<T>>,
): Promise<Result<T>> {
  const owner = { pid: process.pid, startedAt: target.clock.iso(), command, run };
  const lock = acquireLock(target.privateDir, owner);
  if (!lock.ok) return lock;
  let beside: DirectoryLocks | null = null;
  try {
    if (target.machine.isLockedByFolder === true) {
      const taken = takeDirectoryLocks(target.root);
      if (!taken.ok) return taken;
      beside = taken.value;
    }
    await endOrphans(tokenBase(target));
    sweepLocks(target.git, target.clock.now());
    // Every folder of objects is looked through: not at each start.
    if (lock.value.isInherited) sweepObjects(target.git, target.clock.now());
    const made = await makeOwnRepository(target.git);
    if (!made.ok) return made;
    sweepLeftovers(target, lock.value.isInherited);
    const settled = settleWindows(target.privateDir, target.io);
    if (!settled.ok) return settled;
    prune(target);
    await retire(target.git, target.clock.now());
    const open = await openLane(target, run, `${tokenBase(target)}${run}`, watcher, need);
    if (!open.ok) return open;
    try {
      return await use({ ...open.value, beside });
    } finally {
      await open.value.close();
    }
  } finally {
    beside?.release();
    lock.value.release();
  }
}

/**
 * Every process of a run is found by this: the repository's private folder names it on this machine. Commands that only look
 * have another one (`@`): nobody ends their git.
 */
export const tokenBase = (target: Target): string => `${target.privateDir}#`;

/** What `init` writes in the root beside backlog and log. */
const WRITTEN = ['.gitignore', '.harness.yaml', 'init.sh', 'reset.sh'];

/** Half written files, also those that would end up in a commit, and reports of checks that nobody waits for any more. */
function sweepLeftovers({ io, git, root, stateDir, privateDir, config }: Target, isInherited: boolean): void {
  const { backlog, progress } = config.paths;
  const own = [backlog, progress, ...git.own, ...WRITTEN, ...(config.source === null ? [] : [config.source])];
  removeStaleNextTo(
    io,
    own.map((path) => join(root, path)),
  );
  removeStaleBelow(io, stateDir);
  // A home is an agent's. Evidence is a lot to look through, and only who was killed leaves anything there.
  removeStaleBelow(io, privateDir, ['home', 'scratch', ...(isInherited ? [] : ['evidence'])]);
  sweepCopies(root, sweepBoxes);
  sweepTreeCopies(root);
  sweepBoxes(root);
  sweepCanaries(root);
  const scratch = join(privateDir, 'scratch');
  if (existsSync(scratch)) io.remove(scratch);
}

/** By when they were last written: names say nothing of their order, and the journal of an interrupted session is needed. */
function prune({ io, privateDir }: Target): void {
  for (const [name, most] of Object.entries(KEPT)) {
    const folder = join(privateDir, name);
    if (!existsSync(folder)) continue;
    const paths = readdirSync(folder).map((entry) => join(folder, entry));
    if (paths.length <= most) continue;
    const newestFirst = paths.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
    for (const { path } of newestFirst.slice(most)) io.remove(path);
  }
}
