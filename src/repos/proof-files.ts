// The files of a proof workspace: whether they are as git wrote them, and away with what is not of the tree. Everything is compared with the
// index, which no test can write.
import { Buffer, isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readlinkSync, rmSync, statSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../host/files.ts';
import type { Git } from './git.ts';
import { isSeen, readIndex, type IndexEntry } from './index-file.ts';
import { GITLINK } from './listing.ts';
import { objectIdOf } from './objects.ts';
import { foldersAbove } from './paths.ts';
import type { TreeFile } from './tree-walk.ts';

/** A file may have been changed this long after git looked at it without looking different: a clock of files has steps. */
const TICK_NS = 50_000_000n;
const COARSE_TICK_NS = 2_000_000_000n;
const LARGEST_BYTES = 64 * 1024 * 1024;

/** Whether git wrote exactly these files there, and each is as it was written. No folder above one may be a link (`removeOthers`). */
export function areAsWritten(
  git: Git,
  { root, index }: { readonly root: string; readonly index: string },
  files: readonly TreeFile[],
): boolean {
  const entries = readIndex(git, index);
  const written = statSync(index, { bigint: true, throwIfNoEntry: false });
  if (entries === null || written === undefined || entries.length !== files.length) return false;
  // Both are sorted as git sorts.
  return files.every(({ path, mode, id }, n) => {
    const entry = entries[n];
    if (entry?.path !== path || entry.mode !== mode || entry.id !== id || entry.stage !== 0) return false;
    return mode === GITLINK || isAsWritten(root, entry, written.mtimeNs);
  });
}

function isAsWritten(root: string, entry: IndexEntry, writtenNs: bigint): boolean {
  const facts = lstatSync(join(root, entry.path), { bigint: true, throwIfNoEntry: false });
  if (facts === undefined || modeOf(facts) !== entry.mode || !isSeen(entry, facts)) return false;
  const tick = facts.ctimeNs % 1_000_000n === 0n ? COARSE_TICK_NS : TICK_NS;
  return facts.ctimeNs < writtenNs - tick || holds(join(root, entry.path), entry);
}

function modeOf(facts: BigIntStats): string | null {
  if (facts.isSymbolicLink()) return '120000';
  if (!facts.isFile()) return null;
  return (facts.mode & 0o100n) === 0n ? '100644' : '100755';
}

function holds(file: string, { id, mode }: IndexEntry): boolean {
  if (mode === '120000') return objectIdOf('blob', readlinkSync(file, 'buffer'), id) === id;
  const read = readRegular(file, LARGEST_BYTES);
  return read.kind === 'file' && objectIdOf('blob', read.bytes, id) === id;
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
function removeUnreadable(folder: string): void {
  for (const name of readdirSync(folder, { encoding: 'buffer' }))
    if (!isUtf8(name)) rmSync(Buffer.concat([Buffer.from(`${folder}/`), name]), { recursive: true, force: true });
}
