// A wakeup that is never missed: if no one waits when it is given, the next wait returns at once.

export type Wakeup = { readonly wake: () => void; wait(): Promise<void> };

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
