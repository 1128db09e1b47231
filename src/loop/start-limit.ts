// How many items of several lanes start at the same time. What the harness itself does to start one is done by one thread. Were all lanes to
// start together, each would wait for all the others, and their agents would begin, end and land at the same moment. A few at a time, the
// first agents begin earlier and the last one not later.
import type { Alarm } from '../host/clock.ts';
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
  const waiting = new Set<() => void>();
  const leave = (item: ItemId): void => {
    starting.get(item)?.();
    if (starting.delete(item)) for (const next of [...waiting].slice(0, 1)) next();
  };
  const room = (signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => {
      waiting.delete(end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    waiting.add(end);
    signal.addEventListener('abort', end);
    return promise;
  };
  return {
    async enter(item, signal) {
      while (starting.size >= AT_ONCE && !signal.aborted) await room(signal);
      if (signal.aborted) return;
      starting.set(
        item,
        alarm(LONGEST_MS, () => leave(item)),
      );
    },
    leave,
  };
}
