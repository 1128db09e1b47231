// Messages to running machines from outside: pause and stop. What is posted to a mailbox reaches its branches too,
// so that a pause reaches the loop and the item under way.
import type { External } from './types.ts';

export type Mailbox = {
  post(event: External): void;
  take(): External | undefined;
  /** Called at each post; one listener at a time, the newest. */
  listen(wake: () => void): void;
  /** A mailbox of its own that also gets what is posted here, until it is closed. */
  branch(): Mailbox & { close(): void };
};

export function createMailbox(): Mailbox {
  const waiting: External[] = [];
  const branches = new Set<Mailbox>();
  let wake = (): void => undefined;
  return {
    post(event) {
      waiting.push(event);
      wake();
      for (const branch of branches) branch.post(event);
    },
    take: () => waiting.shift(),
    listen(next) {
      wake = next;
    },
    branch() {
      const branch = createMailbox();
      branches.add(branch);
      return { ...branch, close: () => void branches.delete(branch) };
    },
  };
}
