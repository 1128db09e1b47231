// One guarded file in the work tree: reading its current state, through links, and restoring it with anything in its way removed.
import type { Buffer } from 'node:buffer';
import { chmodSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { statsOf } from '../../host/paths.ts';
import type { Io } from '../../host/io.ts';
import { readRegular } from '../../host/files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { MAX_BYTES, sha256, unreadable, type GuardedEntry } from './storage.ts';

/** A file as it was, before its copy is stored. */
export type FileBefore = { readonly entry: Omit<GuardedEntry, 'copy'>; readonly bytes: Buffer | null };

/** Fails with `state-unreadable` if the path is no regular file. */
export function currentState(
  root: string,
  { path: name, rule, problem, isClosed }: Pick<GuardedEntry, 'path' | 'rule' | 'problem' | 'isClosed'>,
): Result<FileBefore> {
  const path = resolve(root, name);
  const link = linkOf(path);
  const target = link === null ? path : realTarget(path);
  const now = readRegular(target, MAX_BYTES);
  if (now.kind === 'other') return err(unreadable(path, now.why));
  const [bytes, mode] = now.kind === 'file' ? [now.bytes, now.mode] : [null, 0o644];
  const throughLink = parentMoved(root, path);
  const hash = bytes === null ? null : sha256(bytes);
  const closed = isClosed === true ? { isClosed } : {};
  return ok({ entry: { path: name, rule, problem, link, target, throughLink, sha256: hash, mode, ...closed }, bytes });
}

/** Idempotent: a file that is as it should be is not written. */
export function restore(io: Io, root: string, entry: GuardedEntry, old: Buffer | null): void {
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
    // A closed guard is not checked again, so a file that an agent added must not reappear after a power loss.
    io.remove(entry.target, 'for-good');
    return;
  }
  if (now.kind === 'file' && same(old, now.bytes) && now.mode === entry.mode) return;
  if (now.kind === 'other') io.remove(entry.target);
  io.replace(entry.target, old);
  chmodSync(entry.target, entry.mode);
}

/** Removes links and files that took the place of a parent folder, below the root only. */
export function clearParents(root: string, path: string): void {
  for (const parent of parentsOf(root, path)) {
    const stat = statsOf(parent);
    if (stat !== null && !stat.isDirectory()) rmSync(parent, { force: true });
  }
}

export const parentMoved = (root: string, path: string): boolean =>
  parentsOf(root, path).some((parent) => {
    const stat = statsOf(parent);
    return stat !== null && !stat.isDirectory();
  });

function parentsOf(root: string, path: string): string[] {
  const below = relative(root, dirname(path));
  if (below === '' || below.startsWith('..') || isAbsolute(below)) return [];
  const names = below.split(sep);
  return names.map((_name, i) => join(root, ...names.slice(0, i + 1)));
}

export function linkOf(path: string): string | null {
  const stat = statsOf(path);
  return stat?.isSymbolicLink() ? readlinkSync(path) : null;
}

/** The target of a link, also when it does not exist. */
function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(dirname(path), readlinkSync(path));
  }
}

export const same = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b));
