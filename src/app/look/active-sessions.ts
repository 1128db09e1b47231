// Which items are under way, read beside the run that works on them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LockOwner } from '../../host/lock.ts';
import type { ItemId } from '../../model/item.ts';
import { plainObject, textAt, type Plain } from '../open/loose-json.ts';

export type UnderWay = { readonly item: ItemId; readonly lane: number; readonly session: number };
/**
 * `isLive`: the run that began them holds the lock. Else a gate or a kill left the items standing, and the next run takes
 * them up; a command that changes or verifies something may hold the lock meanwhile.
 */
export type Lanes = {
  readonly owner: LockOwner | null;
  readonly isLive: boolean;
  readonly underWay: readonly UnderWay[];
};

/** A file that is broken counts as nothing here: `run` says what is wrong with it. */
export async function readLanes(privateDir: string): Promise<Lanes> {
  const loop = plainObject(textOf(join(privateDir, 'loop.json')));
  const owner = await ownerOf(privateDir);
  const underWay = listOf(loop, 'running').flatMap(({ item, lane, session }) =>
    typeof item === 'string' && typeof lane === 'number' && typeof session === 'number'
      ? [{ item, lane, session }]
      : [],
  );
  const isLive = owner !== null && (await isWorker(owner, textAt(loop, 'run')));
  return { owner, isLive, underWay };
}

/** One without a name counts as the run: it holds the lock and has only just begun. */
async function isWorker({ run }: LockOwner, current: string | null): Promise<boolean> {
  const { isWorking } = await import('../open/run-name.ts');
  return run === null || (isWorking(run) && run === current);
}

/** Only where an owner left his name is the lock itself asked: that is a database to be opened. */
async function ownerOf(privateDir: string): Promise<LockOwner | null> {
  if (textOf(join(privateDir, 'lock.json')) === null) return null;
  const { lockOwner } = await import('../../host/lock.ts');
  return lockOwner(privateDir);
}

const listOf = (map: Plain | null, name: string): readonly Plain[] => {
  const list = map?.[name];
  return Array.isArray(list) ? list.filter((one): one is Plain => typeof one === 'object' && one !== null) : [];
};

/** Null where it cannot be read. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
