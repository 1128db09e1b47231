// Items that a person holds: paused, handed over, or being taken back. One file for each in `held/`, so that no two writers share one. A held
// item ends its session with its work kept and is not chosen; everything else continues.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { ItemId } from '../model/item.ts';
import { ok, type Result } from '../model/result.ts';
import { dropWip } from '../repos/wip.ts';
import type { RunEvents, RunHost, RunRepository } from './run-context.ts';
import { fileName } from './token.ts';

/** `rolled-back`: its work becomes an attempt and it begins again · `aborted`: the same, but it stays held. */
export const HOLDS = ['paused', 'handed-off', 'rolled-back', 'aborted'] as const;
const holdSchema = z.object({
  item: z.string(),
  as: z.enum(HOLDS),
  since: z.string(),
  by: z.string(),
  /** HEAD and branch when it was held; '' where there is none. */
  head: z.string(),
  branch: z.string(),
});
export type Hold = Readonly<z.infer<typeof holdSchema>>;

type Place = { readonly workspaceDir: string };
const folderOf = ({ workspaceDir }: Place): string => join(workspaceDir, 'held');
const fileOf = (place: Place, item: ItemId): string => join(folderOf(place), `${fileName(item)}.json`);

export const keepHold = (place: Place & { readonly io: Io }, hold: Hold): void =>
  place.io.replace(fileOf(place, hold.item), `${JSON.stringify(hold)}\n`);
export const dropHold = (place: Place & { readonly io: Io }, item: ItemId): void =>
  place.io.remove(fileOf(place, item));

/** A file that cannot be read holds nothing: it was written whole, by this program. */
function readHold(file: string): Hold | null {
  const text = readText(file);
  if (!text.ok || text.value === null) return null;
  try {
    return holdSchema.safeParse(JSON.parse(text.value)).data ?? null;
  } catch {
    return null;
  }
}

export const holdOf = (place: Place, item: ItemId): Hold | null => readHold(fileOf(place, item));

export function holdsIn(place: Place): readonly Hold[] {
  const folder = folderOf(place);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readHold(join(folder, name)) ?? []);
}

/**
 * What is asked of held items that are not at work: what a rollback or an abort takes back becomes an attempt. Returns the items that stay held.
 * Repeatable.
 */
export async function settleHolds(
  context: RunRepository & RunHost & RunEvents,
  busy: readonly ItemId[],
): Promise<Result<readonly ItemId[]>> {
  const held: ItemId[] = [];
  for (const hold of holdsIn(context)) {
    const { item, as } = hold;
    if ((as === 'rolled-back' || as === 'aborted') && !busy.includes(item)) {
      const dropped = await dropWip(context.git, item);
      if (!dropped.ok) return dropped;
      if (dropped.value !== null)
        context.notify({
          type: 'taken-back',
          level: 'important',
          item,
          data: { attempt: dropped.value.ref, number: dropped.value.number },
        });
      if (as === 'rolled-back') dropHold(context, item);
      else keepHold(context, { ...hold, as: 'paused' });
    }
    if (as !== 'rolled-back' || busy.includes(item)) held.push(item);
  }
  return ok(held);
}
