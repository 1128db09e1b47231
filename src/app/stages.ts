// Where items under way stand, by the journals of the loop and of the items, read while they are being written.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readLines } from '../engine/journal.ts';
import type { Line } from '../engine/position.ts';
import type { Checkpoint } from '../model/action.ts';
import type { ItemId } from '../model/item.ts';
import { textOf, type UnderWay } from './lanes.ts';

export type Standing = {
  /** The position of the item's machine; null: it has not begun yet. */
  readonly stage: string | null;
  /** When the session began, and when it came to this stage. */
  readonly since: string | null;
  readonly stageSince: string | null;
};

/** Where an item under way stands, by its own journal. */
export function standingOf(privateDir: string, underWay: UnderWay): Standing {
  const positions = positionsOf(privateDir, underWay);
  const last = positions.at(-1);
  const stage = stageOf(last);
  const entered = positions[positions.findLastIndex((line) => stageOf(line) !== stage) + 1];
  return { stage, since: positions[0]?.time ?? null, stageSince: entered?.time ?? null };
}

/** The checkpoint that its session began from; null: there is none yet, nothing was written. */
export function checkpointOf(privateDir: string, underWay: UnderWay): Checkpoint | null {
  const at = positionsOf(privateDir, underWay).at(-1)?.at as { readonly checkpoint?: Checkpoint } | null | undefined;
  return at?.checkpoint ?? null;
}

/** What its journal says, oldest first; nothing where it has none yet. */
function positionsOf(privateDir: string, { item, session }: UnderWay): readonly Positioned[] {
  const seq = intentOf(textOf(join(privateDir, 'loop.jsonl')) ?? '', item, session);
  const journal = seq === null ? null : journalOf(join(privateDir, 'items'), seq);
  return (journal ?? []).filter((line): line is Positioned => 'at' in line);
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

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
