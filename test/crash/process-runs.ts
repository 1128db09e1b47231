// Process runs of a harness inside this process: one that crashes at a chosen point, and the next one, which finds what is left.
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Sleeper } from '../../src/host/clock.ts';
import { realIo, type Io } from '../../src/host/io.ts';
import { initFromSpec } from '../../src/app/setup/from-spec.ts';
import { initByHand, type InitReport } from '../../src/app/setup/init.ts';
import type { Watcher } from '../../src/app/open/run-context.ts';
import { createControl, runLoop } from '../../src/app/run/run.ts';
import { openTarget } from '../../src/app/open/target.ts';
import type { Result } from '../../src/model/result.ts';
import { dyingIo, type Mode } from './dying-io.ts';
import type { FixtureProject } from './fixture-project.ts';

/** What a run is asked to do. It is asked the same after a death. */
export type ProcessRun = (
  shop: FixtureProject,
  io: Io,
  watcher: Watcher,
) => Promise<Result<{ readonly reason: string }>>;

/** A stopped clock: texts with a date in them are the same in every run. Later than any file, as a clock should be. */
const NOON = Date.parse('2099-01-01T12:00:00.000Z');
const STANDING: Clock = { now: () => NOON, iso: () => new Date(NOON).toISOString() };

/** A wait is over at once: the clock is stopped. */
const AT_ONCE: Sleeper = () => Promise.resolve();

const MODE = { work: true, only: null, untilDone: true, maxSessions: 12, maxItems: null };
const SILENT: Watcher = { event: () => undefined, agent: () => undefined };

const targetOf = (shop: FixtureProject, io: Io): ReturnType<typeof openTarget> =>
  openTarget(
    { repo: shop.root, configFile: null },
    { io, clock: STANDING, sleep: AT_ONCE, personDir: join(shop.top, 'person') },
  );

export const working: ProcessRun = async (shop, io, watcher) => {
  const target = await targetOf(shop, io);
  return target.ok ? runLoop(target.value, MODE, 'harness run', createControl(), watcher) : target;
};

/** One cleanup session; a next run that finds it done has nothing to do. */
export const cleaningUp: ProcessRun = async (shop, io, watcher) => {
  const target = await targetOf(shop, io);
  if (!target.ok) return target;
  const isDone = shop.git('log', '--format=%s').includes('refactor: cleanup in session 1');
  const isOpen = existsSync(join(shop.privateDir, 'loop.json')) && !isOver(shop);
  if (isDone && !isOpen) return { ok: true, value: { reason: 'verified' } };
  return runLoop(
    target.value,
    { ...MODE, only: 'cleanup', untilDone: false, maxSessions: null },
    'harness cleanup',
    createControl(),
    watcher,
  );
};

const isOver = (shop: FixtureProject): boolean =>
  (JSON.parse(readFileSync(join(shop.privateDir, 'loop.json'), 'utf8')) as { running: unknown[] }).running.length === 0;

/** Session 0 from `spec.md`; a next run that finds it done does not repeat it. */
export const initialising: ProcessRun = async (shop, io, watcher) => {
  const target = await targetOf(shop, io);
  if (!target.ok) return target;
  return orDone(await initFromSpec(target.value, join(shop.root, 'spec.md'), shop.root, setUp(), watcher));
};

/** The suite that is tried first leaves nothing that a kill could cut. */
const setUp = () => ({ stop: new AbortController().signal, withSuite: false });

/** Without an agent. */
export const settingUp: ProcessRun = async (shop, io, watcher) => {
  const target = await targetOf(shop, io);
  return target.ok ? orDone(await initByHand(target.value, setUp(), watcher)) : target;
};

const orDone = (made: Result<InitReport>): Result<{ readonly reason: string }> =>
  !made.ok && made.failure.reason === 'already-initialised' ? { ok: true, value: { reason: 'initialised' } } : made;

/** How a run went: to its end (why it ended), or to the point where it had to die. */
export type Ending = {
  readonly died: boolean;
  readonly reason: string;
  readonly calls: readonly string[];
  /** How many events of an agent arrived during each call; 0 where no agent worked. */
  readonly events: readonly number[];
};
/** Resolves when the torn call has brought so many events of an agent, or is over. */
export type Seen = (events: number) => Promise<unknown>;

/** `tear`: how far a torn call gets; without it, no further than its beginning. */
export async function runUntil(
  run: ProcessRun,
  shop: FixtureProject,
  at: number,
  mode: Mode,
  tear: (seen: Seen) => Promise<unknown> = () => Promise.resolve(),
): Promise<Ending> {
  const events: number[] = [];
  const arrived = new EventEmitter();
  const seen = async (wanted: number, effect: Promise<unknown>): Promise<unknown> => {
    const over = effect.then(
      () => true,
      () => true,
    );
    let isOver = false;
    while (!isOver && (events[at - 1] ?? 0) < wanted)
      isOver = await Promise.race([over, once(arrived, 'event').then(() => false)]);
    return null;
  };
  const { io, calls, isDead } = dyingIo(at, mode, (effect) => tear((wanted) => seen(wanted, effect)));
  const watcher: Watcher = {
    event: () => undefined,
    agent: () => {
      events[calls.length - 1] = (events[calls.length - 1] ?? 0) + 1;
      arrived.emit('event');
    },
  };
  const ending = (died: boolean, reason: string): Ending => ({
    died,
    reason,
    calls,
    events: calls.map((_, n) => events[n] ?? 0),
  });
  try {
    const ended = await run(shop, io, watcher);
    if (!isDead()) return ending(false, reasonOf(ended));
  } catch (error) {
    if (!isDead()) throw error;
    // Whatever a dead harness stumbles over on its way out: only its death counts.
    if (!(error instanceof Error)) throw error;
  }
  return ending(true, '');
}

export const runToTheEnd = async (run: ProcessRun, shop: FixtureProject): Promise<string> =>
  reasonOf(await run(shop, realIo(), SILENT));

const reasonOf = (ended: Result<{ readonly reason: string }>): string =>
  ended.ok ? ended.value.reason : JSON.stringify(ended.failure);
