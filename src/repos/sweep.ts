// Locks and half written files that a killed git left behind, or an agent. Called at start, when no process of an earlier run is left, and at
// the end of a session, when none of its agent is.
import { type Dirent, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { readText } from '../host/files.ts';
import { isProgramRunningIn } from '../host/process-table.ts';
import type { Git } from './git.ts';

/** Git folders without locks of ours: objects of any number, other worktrees, submodules, the harness's own records. */
const PASSED_BY = new Set(['objects', 'worktrees', 'modules', 'lfs', 'harness', 'hooks']);

/** Without a look at processes: a lock older than this has no owner. Milliseconds. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Locks from before `now`. One of the repository may belong to a person's git that waits for its editor: while any git is at work in
 * the work tree all of them stay, and where that cannot be seen those of the last hour do.
 */
export function sweepLocks(git: Git, now: number): readonly string[] {
  const found = (folder: string, passedBy: ReadonlySet<string>, stale: RegExp): readonly string[] =>
    entriesOf(folder).flatMap((entry) => {
      const path = join(folder, entry.name);
      // Git makes files as locks; a folder or a link of such a name, which no ref can have, is in its way all the same.
      const isLock = entry.name.endsWith('.lock');
      if (entry.isDirectory() && !isLock) return passedBy.has(entry.name) ? [] : found(path, NOTHING, stale);
      return (entry.isFile() || isLock) && stale.test(entry.name) && isOlder(path, now) ? [path] : [];
    });
  const locks = [...new Set([git.gitDir, git.commonDir])].flatMap((folder) => found(folder, PASSED_BY, /\.lock$/));
  // A killed `git stash` leaves its index, at the top only: further down a branch may have such a name.
  const indexes = entriesOf(git.gitDir)
    .filter((entry) => entry.isFile() && /^index\.stash\.\d+$/.test(entry.name))
    .map(({ name }) => join(git.gitDir, name))
    .filter((path) => isOlder(path, now));
  const theirs = [...locks, ...indexes];
  // Everything but the caches, in our own folder: private indexes of operations that were cut, the FETCH_HEAD of a fetch.
  const own = found(git.privateDir, NOTHING, /\.lock$|^index-|\.[0-9a-f-]{36}$|^FETCH_HEAD$/);
  const removed = [...theirs.filter(forgotten(git, theirs, now)), ...own];
  for (const path of removed) git.io.remove(path);
  return removed;
}

/**
 * Objects and packs that were being written before `now`; git itself would keep them for two weeks. Looks through every folder of
 * objects, so only after a process was killed. Exceptions as with locks.
 */
export function sweepObjects(git: Git, now: number): readonly string[] {
  const objects = join(git.commonDir, 'objects');
  const half = entriesOf(objects).flatMap(({ name }) => {
    const folder = join(objects, name);
    if (name.startsWith('tmp_objdir-')) return [folder];
    if (!/^(?:[0-9a-f]{2}|pack)$/.test(name)) return [];
    const files = entriesOf(folder).filter((entry) => entry.isFile() && /^\.?tmp[-_]/.test(entry.name));
    return files.map((entry) => join(folder, entry.name));
  });
  const old = half.filter((path) => isOlder(path, now));
  const removed = old.filter(forgotten(git, old, now));
  for (const path of removed) git.io.remove(path);
  return removed;
}

function forgotten(git: Git, left: readonly string[], now: number): (path: string) => boolean {
  if (left.length === 0) return () => false;
  const isBusy = isProgramRunningIn('git', placesOf(git));
  return isBusy === null ? (path) => isOlder(path, now - FORGOTTEN_MS) : () => !isBusy;
}

/** Where a git of this repository may stand: its work trees, and its own folders. */
function placesOf({ root, gitDir, commonDir }: Git): readonly string[] {
  const linked = entriesOf(join(commonDir, 'worktrees')).flatMap(({ name }) => {
    const file = readText(join(commonDir, 'worktrees', name, 'gitdir'));
    return file.ok && file.value !== null ? [dirname(file.value.trim())] : [];
  });
  return [root, gitDir, commonDir, dirname(commonDir), ...linked];
}

const NOTHING: ReadonlySet<string> = new Set();

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or gone since it was listed
  }
}

/** Anybody can give a file a time in the future; the time of that itself cannot be chosen. */
function isOlder(path: string, thanMs: number): boolean {
  const facts = statsOf(path);
  return facts !== null && Math.min(facts.mtimeMs, facts.ctimeMs) < thanMs;
}
