// Which commits of a branch are an item's unfinished work: they stand until it lands, or until they are unwound.
import type { ItemId } from './item.ts';

/** Names the item whose work is not finished, or whose session left nothing but a line in the log. */
export const PROVISIONAL = 'Harness-Provisional';
/** Names the item whose unfinished work is no more in the tree. */
export const UNWINDS = 'Harness-Unwinds';

type Commit = { readonly trailers: { readonly [name: string]: string } };

/** Of commits from a branch's tip back those of an item that still count, newest first. */
export function provisionalOf<C extends Commit>(commits: readonly C[], item: ItemId): readonly C[] {
  const unwound = commits.findIndex(({ trailers }) => trailers[UNWINDS] === item);
  return commits
    .slice(0, unwound < 0 ? commits.length : unwound)
    .filter(({ trailers }) => trailers[PROVISIONAL] === item);
}
