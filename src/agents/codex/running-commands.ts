// Ends commands that do not end by themselves: at the time limit of a command, and with the turn. The program itself leaves them running
// and asks the model to check on them.
import { z } from 'zod';
import { settlesWithin } from '../../host/clock.ts';
import type { CodexWire } from './wire.ts';

export type RunningCommands = {
  began(item: string): void;
  ended(item: string): void;
  /** Resolves with whether all of them were ended. */
  endAll(): Promise<boolean>;
};

const CLEAN_MS = 2_000;

const listed = z.looseObject({ data: z.array(z.looseObject({ itemId: z.string(), processId: z.string() })) });

/** `limitMs`: the time limit of a command; 0: the length of the turn. */
export function trackCommands(wire: CodexWire, threadId: string, limitMs: number): RunningCommands {
  const timers = new Map<string, NodeJS.Timeout>();
  const end = async (item: string): Promise<void> => {
    timers.delete(item);
    const answer = await wire.request('thread/backgroundTerminals/list', { threadId });
    const read = listed.safeParse(answer.ok ? answer.result : null);
    const found = read.data?.data.find(({ itemId }) => itemId === item);
    if (found === undefined) return;
    await wire.request('thread/backgroundTerminals/terminate', { threadId, processId: found.processId });
  };
  return {
    began(item) {
      if (limitMs > 0)
        timers.set(
          item,
          setTimeout(() => void end(item), limitMs),
        );
    },
    ended(item) {
      clearTimeout(timers.get(item));
      timers.delete(item);
    },
    async endAll() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      let isDone = false;
      const cleaned = wire.request('thread/backgroundTerminals/clean', { threadId });
      await settlesWithin(
        CLEAN_MS,
        cleaned.then((answer) => (isDone = answer.ok)),
      );
      return isDone;
    },
  };
}
