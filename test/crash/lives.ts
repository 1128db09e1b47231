// Lives of a harness in this very process: one that dies at a chosen point, and the next one, which finds what is left.
import { join } from 'node:path';
import type { Clock } from '../../src/host/clock.ts';
import { realIo, type Io } from '../../src/host/io.ts';
import { initFromSpec } from '../../src/app/init.ts';
import { createControl, runLoop } from '../../src/app/run.ts';
import { openTarget } from '../../src/app/target.ts';
import type { Result } from '../../src/model/result.ts';
import { dyingIo, type Mode } from './dying-io.ts';
import type { Shop } from './shop.ts';

/** What a life is asked to do. It is asked the same after a death. */
export type Life = (shop: Shop, io: Io) => Promise<Result<{ readonly reason: string }>>;

/** Days that never end: texts with a date in them are the same in every run. Later than any file, as a clock should be. */
const STANDING: Clock = clockFrom(Date.parse('2099-01-01T12:00:00.000Z'));
function clockFrom(start: number): Clock {
  let ticks = 0;
  const now = (): number => start + (ticks++ % 30_000);
  return { now, iso: () => new Date(now()).toISOString() };
}

const MODE = { work: true, only: null, untilDone: true, maxSessions: 12, maxItems: null };
const SILENT = { event: () => undefined, agent: () => undefined };

export const working: Life = async (shop, io) => {
  const target = await openTarget({ repo: shop.root, configFile: null }, { io, clock: STANDING });
  return target.ok ? runLoop(target.value, MODE, 'harness run', createControl(), SILENT) : target;
};

/** Session 0 from `spec.md`; a next life that finds it done goes on without it. */
export const initialising: Life = async (shop, io) => {
  const target = await openTarget({ repo: shop.root, configFile: null }, { io, clock: STANDING });
  if (!target.ok) return target;
  const { signal } = new AbortController();
  const done = await initFromSpec(target.value, join(shop.root, 'spec.md'), shop.root, signal, SILENT);
  const isDone = !done.ok && done.failure.reason === 'already-initialised';
  return isDone ? { ok: true, value: { reason: 'initialised' } } : done;
};

/** How a life went: to its end (why it ended), or to the point where it had to die. */
export type Ending = { readonly died: boolean; readonly reason: string; readonly calls: readonly string[] };

export async function liveUntil(life: Life, shop: Shop, at: number, mode: Mode, tornMs = 0): Promise<Ending> {
  const { io, calls, isDead } = dyingIo(at, mode, tornMs);
  try {
    const ended = await life(shop, io);
    if (!isDead()) return { died: false, reason: reasonOf(ended), calls };
  } catch (error) {
    if (!isDead()) throw error;
    // Whatever a dead harness stumbles over on its way out: only its death counts.
    if (!(error instanceof Error)) throw error;
  }
  return { died: true, reason: '', calls };
}

export const liveToTheEnd = async (life: Life, shop: Shop): Promise<string> => reasonOf(await life(shop, realIo()));

const reasonOf = (ended: Result<{ readonly reason: string }>): string =>
  ended.ok ? ended.value.reason : JSON.stringify(ended.failure);
