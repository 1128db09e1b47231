// Every durable write goes through this port, so that a crash test can stop the program at each of them.
// Owns the order write → fsync → rename → fsync of the folder. Does not own what is written.
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { targetStatsOf } from './paths.ts';

type NewFile = { readonly path: string; readonly text: string | Uint8Array; readonly how?: MayBeLost };
/**
 * Not waited for. After a power loss the file may be the one before, empty, or not there: for what is made again, is checked against a hash
 * that is durable, or is only read by people.
 */
type MayBeLost = 'may-be-lost';

export type Io = {
  /**
   * Appends to a file; durable on return, but with `may-be-lost`: then it becomes durable with what is appended to the file next. Makes the folder.
   */
  append(path: string, text: string | Uint8Array, how?: MayBeLost): void;
  /** Replaces a file as a whole and keeps its mode: readers see the old text or the new one, never a part. Durable on return, but with `may-be-lost`. */
  replace(path: string, text: string | Uint8Array, how?: MayBeLost): void;
  /**
   * Replaces several files, in this order: durable together on return, for little more than the cost of one. A crash in between leaves
   * the first of them new and the others old.
   */
  replaceAll(files: readonly NewFile[]): void;
  /**
   * Removes a file or folder if it exists. After a power loss it may exist again, unless `for-good` is given: then the removal is durable
   * on return, even where a crashed process had removed it before.
   */
  remove(path: string, how?: 'for-good'): void;
  /** An effect outside our files (git, a process) that a crash can hit before, during, or after it. */
  effect<T>(name: string, run: () => Promise<T>): Promise<T>;
};

export function realIo(): Io {
  return {
    append(path, text, how) {
      const isNew = !existsSync(path);
      if (isNew) mkdirSync(dirname(path), { recursive: true });
      const file = openSync(path, 'a');
      try {
        writeFileSync(file, text); // to the last byte, unlike one writeSync
        if (how === undefined) fsyncSync(file);
      } catch (error) {
        throw named(error, path);
      } finally {
        closeSync(file);
      }
      // In any case: who appends next finds the file and does not wait for its name.
      if (isNew) syncFolder(dirname(path));
    },
    replace: (path, text, how) => replaceFiles([how === undefined ? { path, text } : { path, text, how }]),
    replaceAll: replaceFiles,
    remove(path, how) {
      rmSync(path, { recursive: true, force: true });
      if (how === 'for-good' && existsSync(dirname(path))) syncFolder(dirname(path));
    },
    effect: (_name, run) => run(),
  };
}

function replaceFiles(files: readonly NewFile[]): void {
  for (const { path } of files) mkdirSync(dirname(path), { recursive: true });
  const temporary = (path: string): string => `${path}.${process.pid}.tmp`;
  const open: number[] = [];
  const durable: number[] = [];
  try {
    for (const { path, text, how } of files) {
      const file = openSync(temporary(path), 'w');
      open.push(file);
      if (how === undefined) durable.push(file);
      copyMode(path, file);
      written(path, () => writeFileSync(file, text));
    }
    // All are written before the first fsync: the disk takes them together.
    for (const file of durable) fsyncSync(file);
  } finally {
    for (const file of open) closeSync(file);
  }
  let isNew = false;
  for (const [at, { path, how }] of files.entries()) {
    renameSync(temporary(path), path);
    isNew ||= how === undefined;
    const next = files[at + 1];
    if (next !== undefined && dirname(next.path) === dirname(path)) continue;
    if (isNew) syncFolder(dirname(path));
    isNew = false;
  }
}

function written(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    rmSync(`${path}.${process.pid}.tmp`, { force: true }); // on a full disk the part that fitted is in the way
    throw named(error, path);
  }
}

/** A write fails without the path: a user must know which disk is full. */
export const named = (error: unknown, path: string): unknown =>
  error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error;

/** The new file gets the permissions of the one that it replaces. */
function copyMode(from: string, file: number): void {
  const mode = targetStatsOf(from)?.mode;
  if (mode !== undefined) fchmodSync(file, mode & 0o777);
}

/** Makes renames and new entries of a folder durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
