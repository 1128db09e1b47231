// Active sessions in detail: stage and checkpoint from the journals of the loop and of the items, and the fill of their context.
// A run may be writing these files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readLines } from '../../engine/journal.ts';
import { intentsOf, type Line } from '../../engine/position.ts';
import { checkpointSchema, type Checkpoint } from '../../model/checkpoint.ts';
import { textOf, type ActiveSession } from './active-sessions.ts';
import { tailOf } from '../../host/files.ts';
import { numberAt, plainObject } from '../open/loose-json.ts';
import { pointerOf } from '../../loop/sessions.ts';

export type ItemStage = {
  /** The stage of the item's machine; null: not started yet. */
  readonly stage: string | null;
  /** When the session started, and when it entered this stage. */
  readonly since: string | null;
  readonly stageSince: string | null;
};

export function stageOf(workspaceDir: string, active: ActiveSession): ItemStage {
  const positions = positionsOf(workspaceDir, active);
  const stage = nameIn(positions.at(-1));
  const entered = positions[positions.findLastIndex((line) => nameIn(line) !== stage) + 1];
  return { stage, since: positions[0]?.time ?? null, stageSince: entered?.time ?? null };
}

/** The checkpoint the session started from; null: none yet, so nothing was written. */
export function checkpointOf(workspaceDir: string, active: ActiveSession): Checkpoint | null {
  const at = z.looseObject({ checkpoint: checkpointSchema }).safeParse(positionsOf(workspaceDir, active).at(-1)?.at);
  return at.success ? at.data.checkpoint : null;
}

type PositionLine = Exclude<Line, { readonly t: 'intent' | 'drop' }>;
const nameIn = (line: PositionLine | undefined): string | null =>
  z.looseObject({ stage: z.string() }).safeParse(line?.at).data?.stage ?? null;

/** The item's positions, oldest first; empty without a journal. */
function positionsOf(workspaceDir: string, active: ActiveSession): readonly PositionLine[] {
  const seq = intentOf(linesOf(join(workspaceDir, 'loop.jsonl')), active);
  const journal = seq === null ? [] : journalOf(join(workspaceDir, 'items'), seq);
  return journal.filter((line): line is PositionLine => 'at' in line);
}

const itemAction = z.looseObject({ kind: z.literal('item'), item: z.string(), session: z.number() });

/** The number of the newest intent to work on this item in this session. */
function intentOf(lines: readonly Line[], { item, session }: ActiveSession): number | null {
  const { open, closed } = intentsOf(lines);
  const found = [...closed, ...open].findLast(({ action }) => {
    const asked = itemAction.safeParse(action).data;
    return asked?.item === item && asked.session === session;
  });
  return found?.seq ?? null;
}

/** Journal names end with the intent's number and a hash. The newest belongs to the current position. */
function journalOf(folder: string, seq: number): readonly Line[] {
  const found = namesIn(folder)
    .filter((name) => new RegExp(`-${seq}-[0-9a-f]{12}\\.jsonl$`).test(name))
    .flatMap((name) => {
      const lines = linesOf(join(folder, name));
      const place = lines.find((line) => line.t === 'place');
      return place?.base.endsWith(`/${seq}`) ? [{ lines, at: place.time }] : [];
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  return found.at(-1)?.lines ?? [];
}

function linesOf(file: string): readonly Line[] {
  const read = readLines<Line>(textOf(file) ?? '');
  return read.ok ? read.value.lines : [];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** How full the context of a session is, in tokens. */
export type ContextFill = {
  readonly used: number;
  readonly window: number;
  readonly source: 'reported' | 'estimated';
};

const TAIL_BYTES = 64 * 1_024;

/** From the end of its event log, in constant time. Null: unknown yet. `windowTokens`: the window if the agent does not report one. */
export function contextFillOf(workspaceDir: string, session: number, windowTokens = 200_000): ContextFill | null {
  const pointer = pointerOf(workspaceDir, session);
  if (pointer === null) return null;
  for (const line of tailOf(join(pointer.folder, 'events.jsonl'), TAIL_BYTES).split('\n').toReversed()) {
    const event = contextEvent(line);
    if (event === null) continue;
    return { ...event, window: event.window ?? windowTokens };
  }
  return null;
}

/** Null too for the first line of the tail, which is incomplete. */
function contextEvent(line: string): (Omit<ContextFill, 'window'> & { readonly window: number | null }) | null {
  const event = line.includes('"t":"context"') ? plainObject(line) : null;
  const used = numberAt(event, 'used');
  if (used === null) return null;
  const isEstimated = event?.['source'] === 'estimated';
  return { used, window: numberAt(event, 'window'), source: isEstimated ? 'estimated' : 'reported' };
}
