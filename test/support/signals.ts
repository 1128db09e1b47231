// Moments that a test waits for or decides, instead of time: a promise with its ends outside, folders that go away.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach } from 'vitest';

export type Moment<T = void> = { readonly come: Promise<T>; now(value: T): void; fail(error: unknown): void };

export function moment<T = void>(): Moment<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  promise.catch(() => undefined); // the caller that awaits it gets the error
  return { come: promise, now: resolve, fail: reject };
}

/** Answers when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Everything that is ready to continue has continued. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** For what other processes do: looks again and again, for as long as the test may take. */
export async function untilThere(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(POLL_MS);
}
const POLL_MS = 20;

/** A maker of temporary folders that are removed after each test. */
export function folders(prefix: string): () => string {
  const made: string[] = [];
  afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  return () => {
    const folder = mkdtempSync(join(tmpdir(), prefix));
    made.push(folder);
    return folder;
  };
}
