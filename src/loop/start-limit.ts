// How many items of several lanes start at the same time. What the harness itself does to start one is done by one thread. Were all lanes to
// start together, each would wait for all the others, and their agents would begin, end and land at the same moment. A few at a time, the
// first agents begin earlier and the last one not later.
import { settledOrAborted, type Alarm } from '../host/clock.ts';
import type { ItemId } from '../model/item.ts';

export type StartLimit = {
  /** Resolves when this item may start, or at the signal. */
  enter(item: ItemId, signal: AbortSignal): Promise<void>;
  /** Its agent is at work, or it has ended. Does nothing where it is not starting. */
  leave(item: ItemId): void;
};

const AT_ONCE = 2;
/** In milliseconds. An item that takes longer waits for programs of the project, such as its tests, and holds up no other. */
const LONGEST_MS = 1_000;

export function openStartLimit(alarm: Alarm): StartLimit {
  const starting = new Map<ItemId, () => void>();
  let left = Promise.withResolvers<void>();
  const leave = (item: ItemId): void => {
    starting.get(item)?.();
    if (!starting.delete(item)) return;
    left.resolve();
    left = Promise.withResolvers();
  };
  return {
    async enter(item, signal) {
      // All that wait look again, the one that has waited longest first.
      while (starting.size >= AT_ONCE && !signal.aborted) await settledOrAborted(left.promise, signal);
      if (signal.aborted) return;
      starting.set(
        item,
        alarm(LONGEST_MS, () => leave(item)),
      );
    },
    leave,
  };
}
