// Which items are under way, read beside the run that works on them: from the loop's file and the items' journals.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLines } from '../engine/journal.ts';
import type { Line } from '../engine/position.ts';
import type { LockOwner } from '../host/lock.ts';
import type { ItemId } from '../model/item.ts';
import { plainObject, textAt, type Plain } from './plain.ts';

export type UnderWay = { readonly item: ItemId; readonly lane: number; readonly session: number };
export type LastReport = {
  readonly item: ItemId;
  readonly session: number;
  readonly result: string;
  readonly reason: string;
};
/**
 * `isLive`: the run that began them holds the lock. Else a gate or a kill left the items standing, and the next run takes
 * them up; a command that changes or verifies something may hold the lock meanwhile.
 */
export type Lanes = {
  readonly owner: LockOwner | null;
  readonly isLive: boolean;
  readonly underWay: readonly UnderWay[];
  readonly reports: readonly LastReport[];
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
  const reports = listOf(loop, 'reports').flatMap(({ id, session, result, reason }) =>
    typeof id === 'string' && typeof session === 'number' && typeof result === 'string'
      ? [{ item: id, session, result, reason: typeof reason === 'string' ? reason : '' }]
      : [],
  );
  const run = owner?.run ?? null;
  const isLive = owner !== null && (run === null || (run.startsWith('r-') && run === textAt(loop, 'run')));
  return { owner, isLive, underWay, reports };
}

/** Only where an owner left his name is the lock itself asked: that is a database to be opened. */
async function ownerOf(privateDir: string): Promise<LockOwner | null> {
  if (textOf(join(privateDir, 'lock.json')) === null) return null;
  const { lockOwner } = await import('../host/lock.ts');
  return lockOwner(privateDir);
}

export type Standing = {
  /** The position of the item's machine; null: it has not begun yet. */
  readonly stage: string | null;
  /** When the session began, and when it came to this stage. */
  readonly since: string | null;
  readonly stageSince: string | null;
};

/** Where an item under way stands, by its own journal. */
export function standingOf(privateDir: string, { item, session }: UnderWay): Standing {
  const none: Standing = { stage: null, since: null, stageSince: null };
  const seq = intentOf(textOf(join(privateDir, 'loop.jsonl')) ?? '', item, session);
  const journal = seq === null ? null : journalOf(join(privateDir, 'items'), seq);
  if (journal === null) return none;
  const positions = journal.filter((line): line is Positioned => 'at' in line);
  const last = positions.at(-1);
  const stage = stageOf(last);
  const entered = positions[positions.findLastIndex((line) => stageOf(line) !== stage) + 1];
  return { stage, since: positions[0]?.time ?? null, stageSince: entered?.time ?? null };
}

type Positioned = Exclude<Line, { readonly t: 'intent' | 'drop' }>;
const stageOf = (line: Positioned | undefined): string | null => (line?.at as { stage?: string } | null)?.stage ?? null;

/** The number of the intent to work on this item in this session. From the end: a journal of the loop grows for months. */
function intentOf(text: string, item: ItemId, session: number): number | null {
  let end = text.length;
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 2) + 1;
    const row = text.slice(start, end);
    end = start;
    if (!row.includes('"t":"intent"') || !row.includes('"kind":"item"')) continue;
    const line = linesOf(row)?.[0];
    if (line?.t !== 'intent') continue;
    const action = line.action as { readonly item?: unknown; readonly session?: unknown };
    if (action.item === item && action.session === session) return line.seq;
  }
  return null;
}

/** Journals of items are named by what began them: the loop's base and the intent's number. The newest is this life's. */
function journalOf(folder: string, seq: number): readonly Line[] | null {
  const found = namesIn(folder)
    .filter((name) => new RegExp(`-${seq}-[0-9a-f]{12}\\.jsonl$`).test(name))
    .flatMap((name) => {
      const lines = linesOf(textOf(join(folder, name)) ?? '');
      const place = lines?.find((line) => line.t === 'place');
      return lines && place?.base.endsWith(`/${seq}`) ? [{ lines, at: place.time }] : [];
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  return found.at(-1)?.lines ?? null;
}

function linesOf(text: string): readonly Line[] | null {
  const read = readLines<Line>(text);
  return read.ok ? read.value.lines : null;
}

const listOf = (map: Plain | null, name: string): readonly Plain[] => {
  const list = map?.[name];
  return Array.isArray(list) ? list.filter((one): one is Plain => typeof one === 'object' && one !== null) : [];
};

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
