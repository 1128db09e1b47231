// A bell that is not missed: rung while nobody waits, it wakes the next one who does.

export type Bell = { readonly ring: () => void; wait(): Promise<void> };

export function openBell(): Bell {
  let isRung = false;
  let wake = (): void => undefined;
  return {
    ring() {
      isRung = true;
      wake();
    },
    async wait() {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve));
      isRung = false;
    },
  };
}
