// The items being worked on, read while a run may be changing them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockOwner } from '../../host/lock.ts';
import type { Apart } from '../../model/expected-files.ts';
import type { ItemId } from '../../model/item.ts';
import { plainObject, textAt, type Plain } from '../open/loose-json.ts';

export type ActiveSession = { readonly item: ItemId; readonly lane: number; readonly session: number };
/**
 * `isLive`: the run that started the sessions holds the lock. Otherwise they were interrupted or wait at a gate, and the next run
 * resumes them; another command may hold the lock.
 */
export type ActiveSessions = {
  readonly owner: LockOwner | null;
  readonly isLive: boolean;
  readonly sessions: readonly ActiveSession[];
  /** Items that wait for one at work, as both are expected to change the same file. */
  readonly apart: readonly Apart[];
};

/** An unreadable file counts as empty here; `run` reports what is wrong with it. */
export async function readActiveSessions(workspaceDir: string): Promise<ActiveSessions> {
  const loop = plainObject(textOf(join(workspaceDir, 'loop.json')));
  const owner = await ownerOf(workspaceDir);
  const sessions = listOf(loop, 'running').flatMap(({ item, lane, session }) =>
    typeof item === 'string' && typeof lane === 'number' && typeof session === 'number'
      ? [{ item, lane, session }]
      : [],
  );
  const isLive = owner !== null && (await isWorker(owner, textAt(loop, 'run')));
  const isAtWork = (id: string): boolean => sessions.some(({ item }) => item === id);
  const apart = listOf(loop, 'apart').flatMap(({ item, after, file }) =>
    isLive && typeof item === 'string' && typeof after === 'string' && typeof file === 'string' && !isAtWork(item)
      ? [{ item, after, file }]
      : [],
  );
  return { owner, isLive, sessions, apart };
}

/** An owner without a run name counts as the run: it has just taken the lock. */
async function isWorker({ run }: LockOwner, current: string | null): Promise<boolean> {
  const { isWorking } = await import('../open/run-name.ts');
  return run === null || (isWorking(run) && run === current);
}

/** Checks for the owner's file first: asking the lock itself opens a database. */
async function ownerOf(workspaceDir: string): Promise<LockOwner | null> {
  if (textOf(join(workspaceDir, 'lock.json')) === null) return null;
  const { lockOwner } = await import('../../host/lock.ts');
  return lockOwner(workspaceDir);
}

const listOf = (map: Plain | null, name: string): readonly Plain[] => {
  const list = map?.[name];
  return Array.isArray(list) ? list.filter((one): one is Plain => typeof one === 'object' && one !== null) : [];
};

/** Null if it cannot be read. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
