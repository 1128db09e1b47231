// Every durable thing goes through this port, so that a test can die at each of them (test/crash).
// Owns the order write → fsync → rename → fsync folder. Does not own what is written.
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

export type Io = {
  /** Adds at the end of a file; durable on return. The folder is made. */
  append(path: string, text: string | Uint8Array): void;
  /** Replaces a file as a whole, its mode kept: readers see the old text or the new, never half. Durable on return. */
  replace(path: string, text: string | Uint8Array): void;
  /**
   * The same for several files, in this order: durable together on return, for little more than the cost of one. A death
   * in between leaves the first of them new and the others old.
   */
  replaceAll(files: readonly { readonly path: string; readonly text: string | Uint8Array }[]): void;
  /**
   * Removes a file or folder if it is there. After a loss of power it may be there again, unless it was removed `for-good`: then it is
   * durable on return, also where somebody who died had removed it already.
   */
  remove(path: string, how?: 'for-good'): void;
  /** An effect outside our files (git, a process) that a crash can hit before, in the middle of, or after. */
  effect<T>(name: string, run: () => Promise<T>): Promise<T>;
};

export function realIo(): Io {
  return {
    append(path, text) {
      const isNew = !existsSync(path);
      if (isNew) mkdirSync(dirname(path), { recursive: true });
      writeAndSync(path, 'a', text);
      if (isNew) syncFolder(dirname(path));
    },
    replace(path, text) {
      mkdirSync(dirname(path), { recursive: true });
      const next = `${path}.${process.pid}.tmp`;
      writeAndSync(next, 'w', text, path);
      renameSync(next, path);
      syncFolder(dirname(path));
    },
    replaceAll(files) {
      for (const { path } of files) mkdirSync(dirname(path), { recursive: true });
      const next = (path: string): string => `${path}.${process.pid}.tmp`;
      const open: number[] = [];
      try {
        for (const { path, text } of files) {
          const file = openSync(next(path), 'w');
          open.push(file);
          keepMode(file, path);
          writeFileSync(file, text);
        }
        // All are written before the first is waited for: the disk takes them in one go.
        for (const file of open) fsyncSync(file);
      } finally {
        for (const file of open) closeSync(file);
      }
      for (const [at, { path }] of files.entries()) {
        renameSync(next(path), path);
        const later = files[at + 1];
        if (later === undefined || dirname(later.path) !== dirname(path)) syncFolder(dirname(path));
      }
    },
    remove(path, how) {
      rmSync(path, { recursive: true, force: true });
      if (how === 'for-good' && existsSync(dirname(path))) syncFolder(dirname(path));
    },
    effect: (_name, run) => run(),
  };
}

/** What is about to stand in the place of another file may be read, written and run as that one. */
function keepMode(file: number, other: string): void {
  const mode = statSync(other, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined) fchmodSync(file, mode & 0o777);
}

function writeAndSync(path: string, flag: 'a' | 'w', text: string | Uint8Array, insteadOf?: string): void {
  const file = openSync(path, flag);
  try {
    if (insteadOf !== undefined) keepMode(file, insteadOf);
    writeFileSync(file, text); // to the last byte, unlike one writeSync
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What was renamed or made in it is there after a loss of power. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
