// A short lock between processes that change one file: read, decide, write. Released by the kernel if its owner is killed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ok, type Result } from '../model/result.ts';
import { unavailable } from './lock.ts';

/** An owner needs milliseconds: one that holds it longer is suspended. */
const MOST_WAIT_MS = 10_000;

/**
 * Performs `change` while no other process is in a change of this name in this folder. Not to be nested. Fails with `lock-unavailable`
 * (`dir`, `code`), or as the change does.
 */
export function underShortLock<T>(dir: string, name: string, change: () => Result<T>): Result<T> {
  const lock = open(dir, name);
  if (!lock.ok) return lock;
  try {
    return change();
  } finally {
    lock.value.close();
  }
}

function open(dir: string, name: string): Result<DatabaseSync> {
  let db: DatabaseSync | null = null;
  try {
    mkdirSync(dir, { recursive: true });
    db = new DatabaseSync(join(dir, `${name}.lock.db`), { timeout: MOST_WAIT_MS });
    db.exec('BEGIN EXCLUSIVE');
    return ok(db);
  } catch (error) {
    db?.close();
    return { ok: false, failure: unavailable(dir, error) };
  }
}
