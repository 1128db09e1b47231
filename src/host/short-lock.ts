// Short locks between processes that change the same thing: read, decide, write. Released by the kernel if their owner is killed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { err, ok, type Result } from '../model/result.ts';
import { lockExclusively, unavailable } from './lock.ts';

/** An owner needs milliseconds, or a second where git is at work: one that holds it longer is suspended. */
const MOST_WAIT_MS = 10_000;
const MOST_ASYNC_WAIT_MS = 60_000;
const POLL_MS = 20;

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

/** The last change of this process for each lock: the next one waits for it without looking every few milliseconds. */
const last = new Map<string, Promise<unknown>>();

/** The same for a change that is not done at once. Of another name than the locks that are taken meanwhile. */
export function duringShortLock<T>(dir: string, name: string, change: () => Promise<T>): Promise<Result<T>> {
  const path = lockFile(dir, name);
  const perform = (): Promise<Result<T>> => lockedFor(dir, name, change);
  const next = (last.get(path) ?? Promise.resolve()).then(perform, perform);
  last.set(path, next);
  return next;
}

async function lockedFor<T>(dir: string, name: string, change: () => Promise<T>): Promise<Result<T>> {
  for (const until = performance.now() + MOST_ASYNC_WAIT_MS; ; await pause(POLL_MS)) {
    const lock = open(dir, name, 0);
    if (!lock.ok) {
      if (performance.now() > until) return lock;
      continue;
    }
    try {
      return ok(await change());
    } finally {
      lock.value.close();
    }
  }
}

const lockFile = (dir: string, name: string): string => join(dir, `${name}.lock.db`);

function open(dir: string, name: string, timeout = MOST_WAIT_MS): Result<DatabaseSync> {
  let db: DatabaseSync | null = null;
  try {
    mkdirSync(dir, { recursive: true });
    db = new DatabaseSync(lockFile(dir, name), { timeout });
    lockExclusively(db);
    return ok(db);
  } catch (error) {
    db?.close();
    return err(unavailable(dir, error));
  }
}
