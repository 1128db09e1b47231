// The items of several lanes start one after another. What the harness itself does to start one, and the programs that it starts for it, share the
// processors. Were all lanes to start together, each would wait for all the others, and their agents would begin, end and land at the same moment. One at a
// time, the first agents begin earlier and the last one hardly later.
import { settledOrAborted, type Alarm } from '../host/clock.ts';
import type { ItemId } from '../model/item.ts';

export type StartLimit = {
  /** Resolves when this item may start, or at the signal. */
  enter(item: ItemId, signal: AbortSignal): Promise<void>;
  /** Its agent has said something, or it has ended. Does nothing where it is not starting. */
  leave(item: ItemId): void;
};

/** In milliseconds. An item that takes longer waits for programs of the project, such as its tests, or for its agent, and holds up no other. */
const LONGEST_MS = 1_000;

export function openStartLimit(alarm: Alarm): StartLimit {
  let starting: { readonly item: ItemId; readonly cancel: () => void } | null = null;
  let left = Promise.withResolvers<void>();
  const isBusy = (): boolean => starting !== null;
  const leave = (item: ItemId): void => {
    if (starting?.item !== item) return;
    starting.cancel();
    starting = null;
    left.resolve();
    left = Promise.withResolvers();
  };
  return {
    async enter(item, signal) {
      // All that wait look again, the one that has waited longest first.
      while (isBusy() && !signal.aborted) await settledOrAborted(left.promise, signal);
      if (signal.aborted) return;
      starting = { item, cancel: alarm(LONGEST_MS, () => leave(item)) };
    },
    leave,
  };
}
