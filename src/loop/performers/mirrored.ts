// After an item has ended, its issues are brought up to date. Where the configuration makes a failure of that stop the run, the item is performed again
// by the next run, which finds its end and tries again.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, ItemOutcome } from '../../model/action.ts';
import type { RunStores } from '../run-context.ts';

type Items = Performer<ActionOf<Actions, 'item'>, ItemOutcome>;

/** Results after which the item continues later. */
const UNENDED: readonly ItemOutcome['result'][] = ['gate', 'paused'];

export function mirrored({ syncIssues }: Pick<RunStores, 'syncIssues'>, items: Items): Items {
  if (syncIssues === undefined) return items;
  return {
    ...items,
    async perform(ask, context) {
      const done = await items.perform(ask, context);
      if ('blocked' in done || 'parked' in done || UNENDED.includes(done.result) || context.signal.aborted) return done;
      const synced = await syncIssues(context.signal);
      return synced.ok ? done : { blocked: synced.failure };
    },
  };
}
