// Messages to running machines from outside: pause and stop. What is posted to a mailbox reaches its branches too,
// so that a pause reaches the loop and the item under way.
import type { External } from './types.ts';

export type Letter = {
  readonly event: External;
  /** Called by whoever took it, when it is durable: only then may the sender forget it. */
  readonly stored: () => void;
};
export type Mailbox = {
  post(event: External, stored?: () => void): void;
  take(): Letter | undefined;
  /** Called at each post; one listener at a time, the newest. */
  listen(wake: () => void): void;
  /** A mailbox of its own that also gets what is posted here, until it is closed. A pause holds for later branches too. */
  branch(): Mailbox & { close(): void };
};

export function createMailbox(): Mailbox {
  const waiting: Letter[] = [];
  const branches = new Set<Mailbox>();
  let pause: External | null = null;
  let wake = (): void => undefined;
  return {
    post(event, stored = () => undefined) {
      if (event.type === 'pause') pause = event;
      waiting.push({ event, stored });
      wake();
      for (const branch of branches) branch.post(event);
    },
    take: () => waiting.shift(),
    listen(next) {
      wake = next;
    },
    branch() {
      const branch = createMailbox();
      if (pause) branch.post(pause);
      branches.add(branch);
      return { ...branch, close: () => void branches.delete(branch) };
    },
  };
}
