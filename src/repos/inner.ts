// Nested repositories that an agent made, when a checkpoint is restored: moved aside as a whole, so that
// their own history and what they ignore are not lost; and pipes and sockets, which no tree can hold.
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, renameSync, rmdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../host/error-code.ts';
import { type Git, zeroSplit } from './git.ts';
import type { Inner } from './listing.ts';
import { factsOf, folderOf } from './paths.ts';
import { STATE_FOLDER, type GitView } from './view.ts';

/** Each folder below it is one thing moved aside. */
export const innerFolder = (git: Git): string => join(git.privateDir, 'inner');

/** A checkpoint has no repository inside the repository but its submodules, so any other that is found now came after it. */
export async function moveInner(git: Git, nested: readonly Inner[]): Promise<void> {
  for (const { path, kind } of nested) {
    if (kind === 'submodule') continue;
    const what = kind === 'tracked' ? `${path}/.git` : path;
    await git.io.effect('move aside', async () => moveAside(git, join(git.root, what), what));
  }
}

function moveAside(git: Git, from: string, path: string): void {
  if (factsOf(from) === null) return; // moved before a death, or inside of what was moved just now
  const into = join(innerFolder(git), randomUUID());
  const to = join(into, path);
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (name) => isKeepable(name) });
    git.io.remove(from);
  }
  const now = new Date();
  utimesSync(into, now, now);
  for (let above = folderOf(path); above !== ''; above = folderOf(above)) if (!isEmptied(join(git.root, above))) break;
}

/** A folder that only held what was moved goes too. */
function isEmptied(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // something else is in it
  }
}

const isKeepable = (path: string): boolean => {
  const facts = factsOf(path);
  return facts !== null && (facts.isFile() || facts.isDirectory() || facts.isSymbolicLink());
};

/**
 * Removes pipes and sockets made since `sinceMs`, outside of what git ignores: a test that opens a pipe left behind would
 * wait for ever. They hold no content, so nothing is lost.
 */
export async function removePipes(git: Git, view: GitView, sinceMs: number): Promise<void> {
  const listed = await git.run(['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory'], {
    env: view.guard,
  });
  if (!listed.ok) return;
  const ignored = new Set(zeroSplit(listed.value).map((path) => path.replace(/\/$/, '')));
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(git.root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.git' || path === STATE_FOLDER || ignored.has(path)) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFIFO() || entry.isSocket()) {
        const made = factsOf(join(git.root, path));
        if (made !== null && made.ctimeMs >= sinceMs) git.io.remove(join(git.root, path));
      }
    }
  };
  walk('');
}
