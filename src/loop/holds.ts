// Items that a person holds: paused, handed over, or being taken back, in `held/`. A held item ends its session with its work kept and is not
// chosen; everything else continues.
import { z } from 'zod/mini';
import type { ItemId } from '../model/item.ts';
import { ok, type Result } from '../model/result.ts';
import { dropWip } from '../repos/wip.ts';
import { itemFiles } from './item-files.ts';
import { beginAgain } from './begin-again.ts';
import type { RunEvents, RunHost, RunRepository, RunSettings } from './run-context.ts';

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

export const { keep: keepHold, drop: dropHold, of: holdOf, all: holdsIn } = itemFiles<Hold>('held', holdSchema);

/**
 * What is asked of held items that are not at work: what a rollback or an abort takes back becomes an attempt. Returns the items that stay held.
 * Repeatable.
 */
export async function settleHolds(
  context: RunRepository & RunSettings & RunHost & RunEvents,
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
      const recorded = await beginAgain(context, item);
      if (!recorded.ok) return recorded;
      if (as === 'rolled-back') dropHold(context, item);
      else keepHold(context, { ...hold, as: 'paused' });
    }
    if (as !== 'rolled-back' || busy.includes(item)) held.push(item);
  }
  return ok(held);
}
