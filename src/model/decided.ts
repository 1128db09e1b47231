// Whether a person's decision stands already. When it was said and by whom does not count: saying it twice is saying it once.
import type { ItemChange, Subject } from './item.ts';

type ItemStage = { readonly passes: boolean } & {
  readonly [F in 'skipped' | 'override' | 'failing']?: Subject[F] | undefined;
};

/** True where the change would leave nothing but another date on the item. */
export function isDecided(f: ItemStage, change: ItemChange): boolean {
  switch (change.type) {
    case 'skipped':
      // What has landed is not in the queue any more: there is nothing to take out.
      return f.passes || (f.skipped?.reason === change.reason && f.skipped.unblock === change.unblock);
    case 'overridden': {
      if (f.passes !== change.passes) return false;
      if (change.passes && ((f.skipped ?? null) !== null || (f.failing ?? null) !== null)) return false;
      const said = f.override ?? null;
      return said === null || (said.passes === change.passes && said.reason === change.reason);
    }
    default:
      return false;
  }
}
