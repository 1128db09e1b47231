// What the page knows: answers by question, asked again when something changed, and the last events. Bounded, however long the page is open.
import { useEffect, useState } from 'preact/hooks';
import { follow, read, Refused, type Answers, type Name, type RunEvent, type StreamState } from './api.ts';
import type { Inputs } from '../app/operations/all.ts';

/** Answers that are kept, so that going back shows something at once. */
const MOST_ANSWERS = 40;
const MOST_EVENTS = 200;
/** Changes come in bursts: they are asked about this often at most. */
const ASK_EVERY_MS = 700;
/** The same for what is long and changes seldom. */
const ASK_SELDOM_MS = 4_000;

type Known = { readonly value: unknown; readonly error: Refused | null };
const known = new Map<string, Known>();
const listeners = new Set<() => void>();
let events: readonly RunEvent[] = [];
let stream: StreamState = 'connecting';
const ticks = { often: 0, seldom: 0 };
const due: { often?: ReturnType<typeof setTimeout>; seldom?: ReturnType<typeof setTimeout> } = {};

const publish = (): void => {
  for (const listener of listeners) listener();
};

/** Something changed: what is on the screen is asked for again, soon and once. */
export function changed(): void {
  soon('often', ASK_EVERY_MS);
  soon('seldom', ASK_SELDOM_MS);
}

function soon(how: 'often' | 'seldom', ms: number): void {
  due[how] ??= setTimeout(() => {
    delete due[how];
    if (document.visibilityState === 'hidden') return;
    ticks[how] += 1;
    publish();
  }, ms);
}

export function startStore(signal: AbortSignal): void {
  document.addEventListener('visibilitychange', changed);
  void follow(
    {
      event(event) {
        events = [...events.slice(1 - MOST_EVENTS), event];
        changed();
      },
      changed,
      state(next) {
        stream = next;
        publish();
      },
    },
    signal,
  );
}

function useStore(): void {
  const [, render] = useState(0);
  useEffect(() => {
    const listener = (): void => render((n) => n + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}

export function useStream(): { readonly events: readonly RunEvent[]; readonly state: StreamState } {
  useStore();
  return { events, state: stream };
}

export type Asked<N extends Name> = {
  readonly value: Answers[N] | null;
  readonly error: Refused | null;
  readonly again: () => void;
};

/** The answer to a read, kept current while it is on the screen: often, seldom, or never because it does not change. */
export function useAnswer<N extends Name>(
  name: N,
  input: Inputs[N],
  how: 'often' | 'seldom' | 'once' = 'often',
): Asked<N> {
  useStore();
  const key = `${name} ${JSON.stringify(input)}`;
  const seen = how === 'once' ? 0 : ticks[how];
  const [manual, again] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    read(name, input, stop.signal).then(
      (value) => keep(key, { value, error: null }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const refused =
          error instanceof Refused ? error : new Refused('offline', 'The server does not answer.', 'harness ui');
        keep(key, { value: known.get(key)?.value ?? null, error: refused });
      },
    );
    return () => stop.abort();
  }, [key, seen, manual]);
  const found = known.get(key);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept under this very name and input
  const value = (found?.value ?? null) as Answers[N] | null;
  return { value, error: found?.error ?? null, again: () => again((n) => n + 1) };
}

function keep(key: string, value: Known): void {
  known.delete(key);
  known.set(key, value);
  for (const [oldest] of known) {
    if (known.size <= MOST_ANSWERS) break;
    known.delete(oldest);
  }
  publish();
}
