// One process at work on a target: takes the lock, cleans up after interrupted processes, opens the run context, and closes everything.
import { join } from 'node:path';
import { sweepBoxes } from '../../host/box.ts';
import { takeDirectoryLocks, type DirectoryLocks } from '../../host/directory-lock.ts';
import { removeStaleBelow, removeStaleNextTo } from '../../host/stale-files.ts';
import { acquireLock } from '../../host/lock.ts';
import { sweepCanaries } from '../../host/sandbox/canary.ts';
import { endOrphans } from '../../host/process-tree.ts';
import { endShells } from '../../host/starter.ts';
import { sweepOwnFolders } from '../../host/temporary-folders.ts';
import { ok, type Result } from '../../model/result.ts';
import { makeOwnRepository } from '../../repos/own-repository.ts';
import { completeFollow } from '../../repos/follow.ts';
import { completeLanding } from '../../repos/landing-index.ts';
import { followNote, knownLanes, workTreeBeside, workTreeOfLane } from '../../repos/work-trees.ts';
import { retire } from '../../repos/retire.ts';
import { sweepProofWorkspaces } from '../../loop/proof-workspaces.ts';
import { sweepLocks, sweepObjects } from '../../repos/sweep.ts';
import { countedNow } from './counted-time.ts';
import { prune } from './prune.ts';
import { adoptRecords } from './adopt-records.ts';
import { settleMovedState } from './moved-state.ts';
import { openRunContext, type OpenRunContext, type Watcher, type WhoseTree } from './run-context.ts';
import type { Need } from './sandbox.ts';
import { removeStaleOfSessions } from './stale-sessions.ts';
import { forgetSite, restoreTamperGuards, SITE_RUN } from './unfinished-sessions.ts';
import type { Target } from './target.ts';

/** Runs `use` with an open run context under the lock. Ends orphans of earlier processes first; releases everything in any case. */
export async function withRunLock<T>(
  target: Target,
  run: string,
  command: string,
  need: Need,
  watcher: Watcher,
  use: (open: OpenRunContext & { readonly beside: DirectoryLocks | null }) => Promise<Result<T>>,
  whose: WhoseTree = 'user',
): Promise<Result<T>> {
  const owner = { pid: process.pid, startedAt: target.clock.iso(), command, run };
  const lock = acquireLock(target.workspaceDir, owner);
  if (!lock.ok) return lock;
  let beside: DirectoryLocks | null = null;
  try {
    if (target.machine.isLockedByFolder === true) {
      const taken = takeDirectoryLocks(target.root);
      if (!taken.ok) return taken;
      beside = taken.value;
    }
    const moved = await settleMovedState(target);
    if (!moved.ok) return moved;
    await endOrphans(tokenBase(target));
    const follow = (): ReturnType<typeof completeFollow> => completeFollow(target.git, followNote(target.workspaceDir));
    const first = await follow();
    // Before the sweep, which would take the lock off the user's index. Where another git was killed, its lock is in the way until then.
    const before = await completeLanding(target.git);
    sweepLocks(target.git, target.clock.now());
    const landed = before.ok ? before : await completeLanding(target.git);
    if (!landed.ok) return landed;
    const followed = first.ok ? first : await follow();
    if (!followed.ok) return followed;
    // Slow: it walks every object folder.
    if (lock.value.isInherited) sweepObjects(target.git, target.clock.now());
    const made = await makeOwnRepository(target.git);
    if (!made.ok) return made;
    sweepStaleFiles(target, lock.value.isInherited);
    const settled = restoreTamperGuards(target.workspaceDir, target.io);
    if (!settled.ok) return settled;
    const forgotten = run.startsWith(SITE_RUN) ? ok(null) : forgetSite(target.workspaceDir, target.io);
    if (!forgotten.ok) return forgotten;
    const adopted = adoptRecords(target.io, target);
    // A command that runs nothing must be able to clear up.
    if (!adopted.ok && need !== 'no-box') return adopted;
    prune(target);
    await retire(target.git, countedNow(target));
    const open = await openRunContext(target, run, `${tokenBase(target)}${run}`, watcher, need, whose);
    if (!open.ok) return open;
    try {
      return await use({ ...open.value, beside });
    } finally {
      await open.value.close();
    }
  } finally {
    await target.git.rest();
    await endShells(tokenBase(target));
    beside?.release();
    lock.value.release();
  }
}

/**
 * The token prefix of every process of a run in this work tree; orphans are found by it, and never those of another work
 * tree of the repository. Read-only commands use another prefix (`@`), so their git is never ended.
 */
export const tokenBase = (target: Target): string => `${target.workspaceDir}#`;

/** What `init` writes in the root, besides backlog and log. */
const WRITTEN = ['.gitignore', '.harness.yaml', 'init.sh', 'reset.sh'];

/** Removes half-written files, including those a commit would pick up, and reports of abandoned checks. */
function sweepStaleFiles(target: Target, isInherited: boolean): void {
  const { io, git, root, stateDir, privateDir, workspaceDir, config } = target;
  const { backlog, progress } = config.paths;
  const own = [backlog, progress, ...git.own, ...WRITTEN, ...(config.source === null ? [] : [config.source])];
  const lanes = knownLanes(workspaceDir).map((lane) => workTreeOfLane(root, lane));
  // A process may have been killed before it noted that sessions are in the work tree beside.
  const tops = new Set([root, workTreeBeside(root), ...lanes]);
  removeStaleNextTo(
    io,
    [...tops].flatMap((top) => own.map((path) => join(top, path))),
  );
  removeStaleBelow(io, stateDir, ['sessions']);
  // `evidence` is large, and only a killed process leaves stale files there.
  const passedBy = ['sessions', 'home', 'scratch', 'worktrees', ...(isInherited ? [] : ['evidence'])];
  removeStaleOfSessions(target);
  for (const folder of new Set([privateDir, workspaceDir])) removeStaleBelow(io, folder, passedBy);
  sweepBoxes([...tops]);
  sweepCanaries([...tops]);
  sweepOwnFolders();
  sweepProofWorkspaces(target);
}
