// Messages to running machines: pause and stop. A message posted to a queue also reaches its branches, so that a pause reaches
// the loop and the current item.
import type { External } from './types.ts';

export type Message = {
  readonly event: External;
  /** The receiver calls it when the message is durable: only then may the sender delete it. */
  readonly stored: () => void;
};
export type MessageQueue = {
  post(event: External, stored?: () => void): void;
  take(): Message | undefined;
  /** Called at each post; one listener at a time, the newest. */
  listen(wake: () => void): void;
  /** A queue that also receives what is posted here, until it is closed. A pause applies to later branches too. */
  branch(name?: string): MessageQueue & { close(): void };
  /** Only to the branch of this name; false: there is none. */
  postTo(name: string, event: External): boolean;
};

export function createMessageQueue(): MessageQueue {
  const waiting: Message[] = [];
  const branches = new Map<MessageQueue, string | null>();
  let pause: External | null = null;
  let wake = (): void => undefined;
  return {
    post(event, stored = () => undefined) {
      if (event.type === 'pause') pause = event;
      waiting.push({ event, stored });
      wake();
      for (const branch of branches.keys()) branch.post(event);
    },
    take: () => waiting.shift(),
    listen(next) {
      wake = next;
    },
    branch(name) {
      const branch = createMessageQueue();
      if (pause) branch.post(pause);
      branches.set(branch, name ?? null);
      return { ...branch, close: () => void branches.delete(branch) };
    },
    postTo(name, event) {
      const named = [...branches].filter(([, own]) => own === name);
      for (const [branch] of named) branch.post(event);
      return named.length > 0;
    },
  };
}

export type Wakeup = { readonly wake: () => void; wait(): Promise<void> };

/** A wakeup that is never missed: if no one waits when it is given, the next wait returns at once. */
export function createWakeup(): Wakeup {
  let isPending = false;
  let resume = (): void => undefined;
  return {
    wake() {
      isPending = true;
      resume();
    },
    async wait() {
      if (!isPending) await new Promise<void>((resolve) => (resume = resolve));
      isPending = false;
    },
  };
}
