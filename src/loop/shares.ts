// What the lanes may use of the project's budget. Their sessions do not see each other's spending: each has a share, and the shares together are never
// more than what is left.
import { settledOrAborted } from '../host/clock.ts';
import { NO_AMOUNTS, type Amounts } from '../model/budget.ts';
import type { ItemId } from '../model/item.ts';

/** `item`: that the session is booked on. `isOpen`: false where it is closed, or was cut by a crash: then `amounts` is what it has used. */
type Share = { readonly item: ItemId; readonly amounts: Amounts; readonly isOpen: boolean };

export type Shares = {
  /** Of all other lanes: what is theirs, on which items, and how many sessions are open. */
  others(lane: number): { readonly amounts: Amounts; readonly items: readonly ItemId[]; readonly open: number };
  /** Instead of the one that it has. */
  take(lane: number, share: Share): void;
  /** Its session is closed: from now on only what it used is its. */
  close(lane: number, used: Amounts): void;
  /** What its session used is recorded. */
  release(lane: number): void;
  /** Resolves when one of them is released, or at the signal. */
  released(signal: AbortSignal): Promise<void>;
};

export function openShares(): Shares {
  const shares = new Map<number, Share>();
  let next = Promise.withResolvers<void>();
  const wake = (): void => {
    next.resolve();
    next = Promise.withResolvers();
  };
  return {
    others(lane) {
      const all = [...shares].filter(([one]) => one !== lane).map(([, share]) => share);
      const amounts = all.reduce((sum, share) => addAmounts(sum, share.amounts), NO_AMOUNTS);
      return { amounts, items: all.map(({ item }) => item), open: all.filter(({ isOpen }) => isOpen).length };
    },
    take: (lane, share) => void shares.set(lane, share),
    close(lane, amounts) {
      const share = shares.get(lane);
      if (share === undefined) return;
      shares.set(lane, { ...share, amounts, isOpen: false });
      wake();
    },
    release(lane) {
      if (shares.delete(lane)) wake();
    },
    released: (signal) => settledOrAborted(next.promise, signal),
  };
}

export const addAmounts = (a: Amounts, b: Amounts): Amounts => ({
  usd: a.usd + b.usd,
  tokens: a.tokens + b.tokens,
  minutes: a.minutes + b.minutes,
});
