// One file of a window where it stands: taken as it is, through whatever links, and put back with nothing of others left in its way.
import type { Buffer } from 'node:buffer';
import { chmodSync, lstatSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Io } from '../../host/io.ts';
import { readRegular } from '../../host/files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { MAX_BYTES, sha256, unreadable, type Entry } from './kept.ts';

/** One as it was, before it has a place in the folder of a window. */
export type Kept = { readonly entry: Omit<Entry, 'copy'>; readonly bytes: Buffer | null };

/** Fails with `state-unreadable` where what stands there is no plain file. */
export function asItStands(
  root: string,
  { path: name, rule, problem }: Pick<Entry, 'path' | 'rule' | 'problem'>,
): Result<Kept> {
  const path = resolve(root, name);
  const link = linkOf(path);
  const target = link === null ? path : realTarget(path);
  const now = readRegular(target, MAX_BYTES);
  if (now.kind === 'other') return err(unreadable(path, now.why));
  const [bytes, mode] = now.kind === 'file' ? [now.bytes, now.mode] : [null, 0o644];
  const throughLink = parentMoved(root, path);
  const hash = bytes === null ? null : sha256(bytes);
  return ok({ entry: { path: name, rule, problem, link, target, throughLink, sha256: hash, mode }, bytes });
}

/** Repeatable: what stands right is left alone. */
export function putBack(io: Io, root: string, entry: Entry, old: Buffer | null): void {
  const path = resolve(root, entry.path);
  if (!entry.throughLink) clearParents(root, path);
  if (linkOf(path) !== entry.link) {
    rmSync(path, { recursive: true, force: true });
    if (entry.link !== null) {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(entry.link, path);
    }
  }
  const now = readRegular(entry.target, MAX_BYTES);
  if (old === null) {
    // Once the window is closed nobody looks any more: what an agent added may not come back after a loss of power.
    io.remove(entry.target, 'for-good');
    return;
  }
  if (now.kind === 'file' && same(old, now.bytes) && now.mode === entry.mode) return;
  if (now.kind === 'other') io.remove(entry.target);
  io.replace(entry.target, old);
  chmodSync(entry.target, entry.mode);
}

/** A folder on the way that was made a link or a file is no way of ours. Only below the root. */
function clearParents(root: string, path: string): void {
  for (const parent of parentsOf(root, path)) {
    const stat = lstatSync(parent, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) rmSync(parent, { force: true });
  }
}

export const parentMoved = (root: string, path: string): boolean =>
  parentsOf(root, path).some((parent) => {
    const stat = lstatSync(parent, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isDirectory();
  });

function parentsOf(root: string, path: string): string[] {
  const below = relative(root, dirname(path));
  if (below === '' || below.startsWith('..') || isAbsolute(below)) return [];
  const names = below.split(sep);
  return names.map((_name, i) => join(root, ...names.slice(0, i + 1)));
}

export function linkOf(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isSymbolicLink() ? readlinkSync(path) : null;
}

/** Where a link leads; a link that leads nowhere names its target all the same. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(dirname(path), readlinkSync(path));
  }
}

export const same = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b));
