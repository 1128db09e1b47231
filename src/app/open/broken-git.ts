// A run was killed while its agent had changed what git obeys, so that git refuses the repository, or finds another one. The user's files are
// put back before anything else: without git nothing could be resumed. Where the harness's folder is, is read from the files alone.
import { basename, join } from 'node:path';
import { realIo } from '../../host/io.ts';
import { acquireLock } from '../../host/lock.ts';
import { endOrphans } from '../../host/process-tree.ts';
import { gitFolders, locate } from '../../repos/folders.ts';
import { settleTamperGuard } from '../../verify/tamper-guard.ts';
import { openTamperGuards } from './unfinished-sessions.ts';

/** Whether a session's guard was open and no other process works here: then git is worth another try. Fails never: git's complaint counts. */
export async function putGitBack(dir: string): Promise<boolean> {
  const place = locate(dir);
  if (place.of === 'none' || place.of === 'both') return false;
  const { gitDir, commonDir } = gitFolders(place.root);
  // An agent that wrote `commondir` has led us away from it.
  const linked = join(commonDir, 'harness', 'worktrees', basename(gitDir));
  const privateDir = [linked, ...[commonDir, gitDir].map((folder) => join(folder, 'harness'))].find(hasOpenGuard);
  if (privateDir === undefined) return false;
  const lock = acquireLock(privateDir, { pid: process.pid, startedAt: null, command: null, run: null });
  if (!lock.ok) return false;
  try {
    await endOrphans(`${privateDir}#`);
    const io = realIo();
    return openTamperGuards(privateDir).every((into) => settleTamperGuard(io, { into, only: 'git' }).ok);
  } finally {
    lock.value.release();
  }
}

const hasOpenGuard = (privateDir: string): boolean => openTamperGuards(privateDir).length > 0;
