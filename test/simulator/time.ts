// Virtual time: a queue of moments. It jumps to the next one as soon as nothing can continue without it. A process that dies takes
// its own moments along. Same order of calls, same order of rings: nothing here knows the real clock.
import type { Alarm, Clock, Sleeper } from '../../src/host/clock.ts';
import { InvariantViolation } from './invariant-violation.ts';

type Due = { readonly at: number; readonly n: number; readonly ring: () => void };

/** The moments of a process that can die. */
export type Own = { readonly alarm: Alarm; readonly sleep: Sleeper; end(): void };
export type VirtualTime = {
  readonly clock: Clock;
  own(): Own;
  /** Lets time pass until this has come to its end; `look` is called before each jump. */
  until<T>(end: Promise<T>, look: () => void): Promise<T>;
  /** Milliseconds since the beginning, and how many jumps it took. */
  passedMs(): number;
  jumps(): number;
};

/** So often at one and the same moment is a loop that lets no time pass. */
const MOST_AT_ONCE = 20_000;
/** What is put off to the next round of the event loop may be put off again: only after so many quiet ones nothing comes. */
const QUIET_ROUNDS = 5;
const round = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function virtualTime(beginMs: number): VirtualTime {
  let nowMs = beginMs;
  let number = 0;
  let jumps = 0;
  let atOnce = 0;
  const queue = new Set<Due>();
  const next = (): Due | null => {
    let first: Due | null = null;
    for (const due of queue)
      if (first === null || due.at < first.at || (due.at === first.at && due.n < first.n)) first = due;
    return first;
  };

  const own = (): Own => {
    const mine = new Set<Due>();
    const alarm: Alarm = (ms, ring) => {
      const due: Due = { at: nowMs + Math.max(0, ms), n: (number += 1), ring };
      queue.add(due);
      mine.add(due);
      return () => void (queue.delete(due), mine.delete(due));
    };
    return {
      alarm,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) return resolve();
          const wake = (): void => {
            takeBack();
            signal.removeEventListener('abort', wake);
            resolve();
          };
          const takeBack = alarm(ms, wake);
          signal.addEventListener('abort', wake);
        }),
      end() {
        for (const due of mine) queue.delete(due);
        mine.clear();
      },
    };
  };

  async function until<T>(end: Promise<T>, look: () => void): Promise<T> {
    let isOver = false;
    const over = (): void => void (isOver = true);
    end.then(over, over);
    for (let quiet = 0; ;) {
      // Two: what the last ring set off may itself be put off by one round.
      await round();
      await round();
      look();
      if (isOver) return end;
      const due = next();
      if (due === null) {
        if ((quiet += 1) > QUIET_ROUNDS)
          throw new InvariantViolation('every wait ends', 'somebody waits, and no moment is due');
        continue;
      }
      quiet = 0;
      atOnce = due.at > nowMs ? 0 : atOnce + 1;
      if (atOnce > MOST_AT_ONCE) throw new InvariantViolation('every wait ends', 'it goes on without any time passing');
      nowMs = Math.max(nowMs, due.at);
      queue.delete(due);
      jumps += 1;
      due.ring();
    }
  }

  return {
    clock: { now: () => nowMs, iso: () => new Date(nowMs).toISOString() },
    own,
    until,
    passedMs: () => nowMs - beginMs,
    jumps: () => jumps,
  };
}
