// One writer per repository. The truth is a lock the kernel frees when its owner dies, never a file that can be stale.
// Owns: taking, naming the owner, letting go. The record beside it only says who: it decides nothing.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { failure, type Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { codeOf, readText } from './files.ts';
import { isAlive } from './process-table.ts';

export type LockOwner = {
  /** Null: somebody holds the lock and his record cannot be read. */
  readonly pid: number | null;
  /** ISO 8601. */
  readonly startedAt: string | null;
  /** The command line, for people. */
  readonly command: string | null;
  readonly run: string | null;
};

export type Lock = {
  /** Whoever held it before did not let go of it: they were killed, and left whatever they were about. */
  readonly isInherited: boolean;
  /** Safe to call twice. Happens by itself when the process ends, however it ends. */
  release(): void;
};

/** Readers hold the lock shared for microseconds: so long a starter waits for them, and for no owner. */
const READERS_MS = 250;
/** Between taking the lock and writing its record an owner is nameless; so long a reader waits for the name. */
const NAME_MS = 200;
const NAMELESS: LockOwner = { pid: null, startedAt: null, command: null, run: null };

/**
 * Takes the lock in `dir` (made if missing) for the life of this process. A suspended owner keeps it; a killed one loses
 * it at once. Fails with `locked` (`pid`, `since`, `command`, `run`; "?" where unknown) or `lock-unavailable` (`dir`, `code`).
 * Nothing else in this process may open `lock.db`: closing any handle on it would free the lock.
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
    db.exec('BEGIN EXCLUSIVE');
    isInherited = existsSync(join(dir, 'lock.json'));
    writeRecord(dir, owner);
  } catch (error) {
    db.close();
    return err(isBusy(error) ? locked(lockOwner(dir) ?? NAMELESS) : unavailable(dir, error));
  }
  const release = (): void => {
    if (!db.isOpen) return;
    process.off('exit', release);
    rmSync(join(dir, 'lock.json'), { force: true });
    db.close();
  };
  // Also keeps the handle from being collected as garbage, which would free the lock behind everybody's back.
  process.once('exit', release);
  return ok({ isInherited, release });
}

/**
 * Who holds the lock now, stopped or not; null: nobody. Takes nothing away from the owner and waits for nobody but
 * (shortly) for the name of one that has just begun. A lock that cannot be asked counts as held, by an owner without a name.
 */
export function lockOwner(dir: string): LockOwner | null {
  for (const until = performance.now() + NAME_MS; ; sleepSync(5)) {
    if (!isHeld(dir)) return null;
    const owner = readOwner(dir);
    // A dead name is the one before: its successor has the lock and is about to write his own.
    if (owner !== null && owner.pid !== null && isAlive(owner.pid)) return owner;
    if (performance.now() > until) return NAMELESS;
  }
}

/** Asks for the lock shared: refused exactly while somebody holds it alone. */
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
  const text = readText(join(dir, 'lock.json'));
  if (!text.ok || text.value === null) return null;
  try {
    const record: unknown = JSON.parse(text.value);
    if (typeof record !== 'object' || record === null) return null;
    const fields = new Map<string, unknown>(Object.entries(record));
    const word = (name: string): string | null => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : null;
    };
    const pid = fields.get('pid');
    return {
      pid: typeof pid === 'number' ? pid : null,
      startedAt: word('startedAt'),
      command: word('command'),
      run: word('run'),
    };
  } catch {
    return null;
  }
}

/** `locked`, with what is known of the owner. */
export const locked = (owner: LockOwner): Failure =>
  failure('locked', {
    pid: owner.pid ?? '?',
    since: owner.startedAt ?? '?',
    command: owner.command ?? '?',
    run: owner.run ?? '?',
  });

/** `lock-unavailable`, by the error of the system. */
export const unavailable = (dir: string, error: unknown): Failure =>
  failure('lock-unavailable', { dir, code: codeOf(error) }, { at: { file: dir } });

/** SQLITE_BUSY and its kin. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5;

export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
