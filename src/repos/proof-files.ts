// The files of a proof workspace: what differs from the tree is written, and what is not of the tree is removed. Everything is compared with
// the index, which no test can write.
import { Buffer, isUtf8 } from 'node:buffer';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exactStatsOf, exactTargetStatsOf } from '../host/paths.ts';
import { ok, type Result } from '../model/result.ts';
import { hasContent } from './file-content.ts';
import type { Git } from './git.ts';
import { indexOf, isLargeIndex, isSeen, isSettled, readIndex } from './index-file.ts';
import { GITLINK } from './listing.ts';
import { readObjects } from './objects.ts';
import { foldersAbove, modeOf } from './paths.ts';
import type { TreeFile } from './tree-walk.ts';

type Folder = { readonly root: string; readonly index: string };
type Differences = {
  /** Files that are not there, or not as in the tree. */
  readonly write: readonly TreeFile[];
  /** The index has exactly the files of the tree, and each as it is there now. */
  readonly isIndexed: boolean;
};

/** More files than this are written faster by git. */
const MOST_WRITTEN = 200;

/**
 * Writes what differs from the tree, and the index. false: that is for git to do (nothing was written there yet, too much differs, the index
 * cannot be read here). No folder above a file of the tree may be a link (`removeOthers`). Safe to repeat after a crash.
 */
export async function writeDifferences(git: Git, folder: Folder, files: readonly TreeFile[]): Promise<Result<boolean>> {
  const found = differencesIn(git, folder, files);
  if (found === null) return ok(false);
  if (found.isIndexed && found.write.length === 0) return ok(true);
  if (files.length === 0 || found.write.length > MOST_WRITTEN || isLargeIndex(folder.index)) return ok(false);
  if (files.some((one) => one.mode === GITLINK || one.path.includes('\uFFFD'))) return ok(false);
  const blobs = await readObjects(
    git,
    found.write.map(({ id }) => id),
  );
  if (!blobs.ok) return blobs;
  try {
    for (const [n, file] of found.write.entries()) {
      const blob = blobs.value[n];
      if (blob?.type !== 'blob') return ok(false);
      writeFile(join(folder.root, file.path), file.mode, blob.bytes);
    }
    const listed = files.map((one) => ({ ...one, facts: lstatSync(join(folder.root, one.path), { bigint: true }) }));
    writeFileSync(`${folder.index}.new`, indexOf(listed));
    renameSync(`${folder.index}.new`, folder.index);
    return ok(true);
  } catch {
    return ok(false); // a test took away the right to write: git says so, and the folder is made from nothing
  }
}

/** null: the index cannot say. */
function differencesIn(git: Git, { root, index }: Folder, files: readonly TreeFile[]): Differences | null {
  const entries = readIndex(git, index);
  const written = exactTargetStatsOf(index);
  if (entries === null || written === null || entries.some(({ stage }) => stage !== 0)) return null;
  const known = new Map(entries.map((one) => [one.path, one]));
  let isIndexed = entries.length === files.length;
  const write = files.filter((file) => {
    const entry = known.get(file.path);
    const isListed = entry?.mode === file.mode && entry.id === file.id;
    isIndexed &&= isListed;
    if (file.mode === GITLINK) return false;
    const facts = exactStatsOf(join(root, file.path));
    if (facts === null || modeOf(facts) !== file.mode) return true;
    const isSame = isListed && isSeen(entry, facts);
    isIndexed &&= isSame;
    return !(isSame && isSettled(facts, written)) && !hasContent(join(root, file.path), file);
  });
  return { write, isIndexed };
}

/** A new file, or a link: what was there is not written through. */
function writeFile(path: string, mode: string, bytes: Buffer): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  if (mode === '120000') symlinkSync(bytes, path);
  else writeFileSync(path, bytes, { flag: 'wx', mode: mode === '100755' ? 0o777 : 0o666 });
}

/**
 * Removes everything that is not of the tree, also what is something else than in the tree; but `installed`: folders of installed packages, and
 * what is at the top for git.
 */
export function removeOthers(root: string, files: readonly TreeFile[], installed: readonly string[]): void {
  const tracked = new Set(files.flatMap(({ path, mode }) => (mode === GITLINK ? [] : [path])));
  const whole = new Set(['.git', ...files.flatMap(({ path, mode }) => (mode === GITLINK ? [path] : [])), ...installed]);
  const above = foldersAbove([...tracked, ...whole]);
  const walk = (folder: string): void => {
    removeUnreadable(join(root, folder));
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (whole.has(path)) continue;
      if (entry.isDirectory() && above.has(path)) walk(path);
      else if (entry.isDirectory() || !tracked.has(path)) rmSync(join(root, path), { recursive: true, force: true });
    }
  };
  walk('');
}

/** A name that is no UTF-8 cannot be compared with that of a file of the tree: git writes such a file again. */
export function removeUnreadable(folder: string): void {
  for (const name of readdirSync(folder, { encoding: 'buffer' }))
    if (!isUtf8(name)) rmSync(Buffer.concat([Buffer.from(`${folder}/`), name]), { recursive: true, force: true });
}
