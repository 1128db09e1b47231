// Messages to a running machine from outside: pause and stop, posted by whoever watches for them.
import type { External } from './types.ts';

export type Mailbox = {
  post(event: External): void;
  take(): External | undefined;
  /** Called at each post; one listener at a time, the newest. */
  listen(wake: () => void): void;
};

export function createMailbox(): Mailbox {
  const waiting: External[] = [];
  let wake = (): void => undefined;
  return {
    post(event) {
      waiting.push(event);
      wake();
    },
    take: () => waiting.shift(),
    listen(next) {
      wake = next;
    },
  };
}
