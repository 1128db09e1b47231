// Whether a user's decision is already recorded. Time and author do not count: deciding twice is deciding once.
import type { ItemChange, Subject } from './item.ts';

type ItemStage = { readonly passes: boolean } & {
  readonly [F in 'skipped' | 'override' | 'failing']?: Subject[F] | undefined;
};

/** True if the change would only change dates of the item. */
export function isDecided(f: ItemStage, change: ItemChange): boolean {
  switch (change.type) {
    case 'skipped':
      // A landed item is no longer in the queue: there is nothing to skip.
      return f.passes || (f.skipped?.reason === change.reason && f.skipped.unblock === change.unblock);
    case 'overridden': {
      if (f.passes !== change.passes) return false;
      if (change.passes && ((f.skipped ?? null) !== null || (f.failing ?? null) !== null)) return false;
      const decided = f.override ?? null;
      return decided === null || (decided.passes === change.passes && decided.reason === change.reason);
    }
    default:
      return false;
  }
}
