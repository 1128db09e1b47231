// One writer per repository: a lock that the kernel releases when its owner's process ends, so that it is never stale. The record
// `lock.json` only names the owner and decides nothing.
import { Buffer } from 'node:buffer';
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { failure, type Failure, type Params } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { codeOf } from './error-code.ts';
import { codeOfRefusal, isFull, readText } from './files.ts';
import { isAlive } from './process-table.ts';

export type LockOwner = {
  /** Null: the lock is held and the owner's record cannot be read. */
  readonly pid: number | null;
  /** ISO 8601. */
  readonly startedAt: string | null;
  /** The command line, for people. */
  readonly command: string | null;
  readonly run: string | null;
};

export type Lock = {
  /** The last owner was killed before it could release the lock, in the middle of its work. */
  readonly isInherited: boolean;
  /** Safe to call twice. Happens automatically when the process ends, in whatever way. */
  release(): void;
};

/** Readers hold the lock shared for microseconds. A process that takes it waits this long for them, not for an owner. */
const READERS_MS = 250;
/** Between taking the lock and writing its record an owner is unknown; a reader waits this long for the record. */
const RECORD_MS = 200;
/** More than the record of an owner, so that a disk that is full is known as full. */
const PROBE_BYTES = 16 * 1024;
const UNKNOWN_OWNER: LockOwner = { pid: null, startedAt: null, command: null, run: null };

/**
 * Takes the lock in `dir` (created if missing) until it is released or this process ends. A suspended owner keeps it; a killed one
 * loses it at once. Fails with `locked` (`pid`, `since`, `command`, `run`; "?" where unknown) or `lock-unavailable` (`dir`, `code`).
 * Nothing else in this process may open `lock.db`: closing any handle on it would release the lock.
 */
export function acquireLock(dir: string, owner: LockOwner): Result<Lock> {
  let db: DatabaseSync;
  try {
    mkdirSync(dir, { recursive: true });
    db = new DatabaseSync(join(dir, 'lock.db'), { timeout: READERS_MS });
  } catch (error) {
    return err(unavailable(dir, error));
  }
  let isInherited: boolean;
  try {
    lockExclusively(db);
    isInherited = existsSync(join(dir, 'lock.json'));
    writeRecord(dir, owner);
  } catch (error) {
    db.close();
    return err(isBusy(error) ? locked(lockOwner(dir) ?? UNKNOWN_OWNER) : unavailable(dir, error));
  }
  const release = (): void => {
    if (!db.isOpen) return;
    process.off('exit', release);
    rmSync(join(dir, 'lock.json'), { force: true });
    db.close();
  };
  // Also keeps the handle from being garbage-collected, which would release the lock.
  process.once('exit', release);
  return ok({ isInherited, release });
}

/**
 * Who holds the lock now, suspended or not; null: it is free. Does not disturb the owner, and only waits, briefly, for the record of one
 * that has just started. A lock that cannot be read counts as held by an unknown owner.
 */
export function lockOwner(dir: string): LockOwner | null {
  for (const until = performance.now() + RECORD_MS; ; sleepSync(5)) {
    if (!isHeld(dir)) return null;
    const owner = readOwner(dir);
    // The record of a process that has ended is the previous one: the new owner is about to write its own.
    if (owner !== null && owner.pid !== null && isAlive(owner.pid)) return owner;
    if (performance.now() > until) return UNKNOWN_OWNER;
  }
}

/**
 * Makes a connection the only one to its database: the lock. The rollback journal stays in memory: a file of it would be left beside the
 * database by an owner that is killed, and nothing is ever committed that it could restore. Throws where the lock is held.
 */
export function lockExclusively(db: DatabaseSync): void {
  db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
}

/** Asks for the lock shared, which is refused exactly while it is held exclusively. */
function isHeld(dir: string): boolean {
  const path = join(dir, 'lock.db');
  if (!existsSync(path)) return false;
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch {
    return true;
  } finally {
    db?.close();
  }
}

function writeRecord(dir: string, owner: LockOwner): void {
  const next = join(dir, `lock.json.${process.pid}.tmp`);
  writeFileSync(next, `${JSON.stringify(owner)}\n`);
  renameSync(next, join(dir, 'lock.json'));
}

function readOwner(dir: string): LockOwner | null {
  const read = readText(join(dir, 'lock.json'));
  if (!read.ok || read.value === null) return null;
  try {
    const record: unknown = JSON.parse(read.value);
    if (typeof record !== 'object' || record === null) return null;
    const fields = new Map<string, unknown>(Object.entries(record));
    const text = (name: string): string | null => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : null;
    };
    const pid = fields.get('pid');
    return {
      pid: typeof pid === 'number' ? pid : null,
      startedAt: text('startedAt'),
      command: text('command'),
      run: text('run'),
    };
  } catch {
    return null;
  }
}

/** `locked`, with what is known about the owner. */
export const locked = (owner: LockOwner): Failure =>
  failure('locked', {
    pid: owner.pid ?? '?',
    since: owner.startedAt ?? '?',
    command: owner.command ?? '?',
    run: owner.run ?? '?',
  });

/** `lock-unavailable`, with the system's error code; the database's own says nothing of the disk. */
export function unavailable(dir: string, error: unknown): Failure {
  const refusal = refusalOf(dir);
  const refused = codeOfRefusal(error);
  const code = refused === 'EROFS' ? refused : codeOf(refusal ?? error);
  const about: Params = isFull(code) ? { full: dir } : refusal === null ? { db: 'lock.db' } : {};
  return failure('lock-unavailable', { dir, code, ...about }, { at: { file: dir } });
}

function refusalOf(dir: string): unknown {
  try {
    accessSync(dir, constants.W_OK);
  } catch (error) {
    return error;
  }
  const probe = join(dir, `lock.json.${process.pid}.tmp`);
  try {
    writeFileSync(probe, Buffer.alloc(PROBE_BYTES));
    rmSync(probe, { force: true });
  } catch (error) {
    // A full disk refuses nothing but the bytes.
    if (!isFull(codeOf(error))) return null;
    rmSync(probe, { force: true });
    return error;
  }
  return null;
}

/** SQLITE_BUSY and its extended codes. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;

export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
