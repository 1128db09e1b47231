// Locks that a killed git left behind. Only ever called at start, when no process of an earlier life is alive any more.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** Git folders without locks of ours: objects of any number, other worktrees, submodules, the harness's own records. */
const PASSED_BY = new Set(['objects', 'worktrees', 'modules', 'lfs', 'harness', 'hooks']);

/** A lock of somebody alive can be old (an editor waiting for a commit message): `olderThanMs` is the caller's judgement. */
export function sweepLocks(git: Git, olderThanMs: number): readonly string[] {
  const removed: string[] = [];
  const sweep = (folder: string, passedBy: ReadonlySet<string>, stale: RegExp): void => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!passedBy.has(entry.name)) sweep(path, NOTHING, stale);
      } else if (entry.isFile() && stale.test(entry.name) && isOlder(path, olderThanMs)) {
        git.io.remove(path);
        removed.push(path);
      }
    }
  };
  for (const folder of new Set([git.gitDir, git.commonDir])) sweep(folder, PASSED_BY, /\.lock$/);
  // Everything but the caches, in our own folder: private indexes of operations that were cut.
  sweep(git.privateDir, NOTHING, /\.lock$|^index-|\.[0-9a-f-]{36}$/);
  return removed;
}

const NOTHING: ReadonlySet<string> = new Set();

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or gone since it was listed
  }
}

function isOlder(path: string, thanMs: number): boolean {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts !== undefined && facts.mtimeMs < thanMs;
}
