// Provisional commits: an item's unfinished work on the branch, as older versions kept it. They count until it lands, or until they are
// reverted. This version makes none (src/repos/wip.ts).
import type { ItemId } from './item.ts';

/** Trailer: the item whose work is not finished, or whose session left only a log entry. */
export const PROVISIONAL = 'Harness-Provisional';
/** Trailer: the item whose unfinished work was reverted. */
export const UNWINDS = 'Harness-Unwinds';

type Commit = { readonly trailers: { readonly [name: string]: string } };

/** The commits of an item that still count, newest first. `commits`: from the branch's tip back. */
export function provisionalOf<C extends Commit>(commits: readonly C[], item: ItemId): readonly C[] {
  const unwound = commits.findIndex(({ trailers }) => trailers[UNWINDS] === item);
  return commits
    .slice(0, unwound < 0 ? commits.length : unwound)
    .filter(({ trailers }) => trailers[PROVISIONAL] === item);
}
