// A throw-away copy of a tree in a folder of its own, to run something in it: no repository, bytes as they are stored,
// with the work tree's installed dependencies linked in. Owns the folder and its end.
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { temporaryFolders, temporaryPrefix } from '../host/temporary-folders.ts';
import { ok, type Result } from '../model/result.ts';
import { type Git, type ObjectId, zeroSplit } from './git.ts';
import { rawView, STATE_FOLDER, withIndex } from './view.ts';

/**
 * What is linked: folders that a package manager fills, and files of settings. Other ignored files may come from the work
 * tree as it is now (built code, caches) and would make the copy another tree than the one asked for.
 */
const DEPENDENCIES = /^(?:node_modules|bower_components|vendor|\.?venv|env|\.pnp\..*|\.env(?:\..*)?)$/;

/**
 * Lends the copy for the time of `use`, not below the repository's git folder: test runners skip it. Copies of this work tree that an earlier process left are
 * removed first.
 */
export async function withTreeCopy<T>(git: Git, tree: ObjectId, use: (root: string) => Promise<T>): Promise<Result<T>> {
  sweepTreeCopies(git.root);
  const folder = realpathSync(mkdtempSync(temporaryPrefix('before', git.root)));
  try {
    const written = await writeTree(git, tree, folder);
    return written.ok ? ok(await use(folder)) : written;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies that a crash left are also removed when a process starts: it may never make another. */
export function sweepTreeCopies(root: string): void {
  for (const folder of temporaryFolders('before', root)) rmSync(folder, { recursive: true, force: true });
}

async function writeTree(git: Git, tree: ObjectId, folder: string): Promise<Result<null>> {
  const view = await rawView(git);
  if (!view.ok) return view;
  return withIndex(git, null, async (index) => {
    const env = { ...view.value.env, ...index };
    const read = await git.run(['read-tree', tree], { env });
    if (!read.ok) return read;
    const into = { env: { ...env, GIT_WORK_TREE: folder } };
    const written = await git.run(['checkout-index', '-a', '-f', '-q', `--prefix=${folder}/`], into);
    if (!written.ok) return written;
    const ignored = await git.run(['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory'], { env });
    if (!ignored.ok) return ignored;
    linkDependencies(git.root, folder, zeroSplit(ignored.value));
    return ok(null);
  });
}

function linkDependencies(root: string, folder: string, ignored: readonly string[]): void {
  for (const entry of ignored) {
    const path = entry.replace(/\/$/, '');
    if (path.startsWith(STATE_FOLDER) || !DEPENDENCIES.test(basename(path))) continue;
    const to = join(folder, path);
    // A link of the tree may lead out of the copy.
    const isInside = existsSync(dirname(to)) && realpathSync(dirname(to)) === dirname(to);
    if (isInside && !existsSync(to)) symlinkSync(join(root, path), to);
  }
}
