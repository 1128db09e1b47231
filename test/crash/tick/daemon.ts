// A daemon of a delivery in this process: the product's look and its decisions, with the programs that it starts played at once. Its time passes only while it
// sleeps, and is a file of the shop, so that a moment that is kept has its own.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workOf } from '../../../src/app/look/daemon-state.ts';
import { plainObject } from '../../../src/app/open/loose-json.ts';
import { tick, type Shell } from '../../../src/app/tick/tick.ts';
import type { Child } from '../../../src/app/tick/record.ts';
import { openTarget, type Target } from '../../../src/app/open/target.ts';
import type { Clock } from '../../../src/host/clock.ts';
import type { Io } from '../../../src/host/io.ts';
import { quickIo } from '../../support/quick-io.ts';
import type { FixtureProject } from '../fixture-project.ts';

const NOON = Date.parse('2099-01-01T12:00:00.000Z');
export const HOUR = 3_600_000;

export type Time = {
  readonly clock: Clock;
  readonly pass: (ms: number) => void;
  /** Since the daemon was started first. */ readonly passed: () => number;
};
export function timeOf({ top }: FixtureProject): Time {
  const file = join(top, 'clock.txt');
  let now = existsSync(file) ? Number(readFileSync(file, 'utf8')) : NOON;
  const pass = (ms: number): void => writeFileSync(file, String((now += ms)));
  const iso = (): string => {
    pass(1_000);
    return new Date(now).toISOString();
  };
  return { clock: { now: () => now, iso }, pass, passed: () => now - NOON };
}

/** What a program does that the daemon starts; gives its answer, null: it dies without one. `before`: how many of the kind and plan there were. */
export type Plays = (about: {
  readonly shop: FixtureProject;
  readonly target: Target;
  readonly child: Child;
  readonly before: number;
  readonly time: Time;
}) => object | null | Promise<object | null>;
/** What users and others do while the daemon waits; false: nothing more. */
export type Acts = (about: {
  readonly shop: FixtureProject;
  readonly target: Target;
  readonly why: string;
  readonly time: Time;
}) => boolean | Promise<boolean>;

const startsFile = ({ top }: FixtureProject): string => join(top, 'starts.txt');
/** `run 0001`: of the programs that were started, in their order. */
export const startsOf = (shop: FixtureProject): readonly string[] =>
  existsSync(startsFile(shop)) ? readFileSync(startsFile(shop), 'utf8').split('\n').filter(Boolean) : [];

/** Whether the daemon finds its programs ended when it looks again, or they end only while it attends to them: then they die with it. */
export type Ends = 'at-once' | 'attended';

const waitsFile = ({ top }: FixtureProject): string => join(top, 'waits.txt');
/** What it has shown that it waits for, as `harness daemon status` says it. */
export const waitsOf = (shop: FixtureProject): readonly string[] =>
  existsSync(waitsFile(shop)) ? readFileSync(waitsFile(shop), 'utf8').split('\n').filter(Boolean) : [];
function noteWait(shop: FixtureProject): void {
  const work = workOf(plainObject(shop.read('.harness/state.json')));
  if (work?.is === 'waiting') writeFileSync(waitsFile(shop), `${work.why} ${work.reason}\n`, { flag: 'a' });
}

const MOST_TICKS = 200;

/** Until it waits for nothing that comes. */
export async function live(
  shop: FixtureProject,
  io: Io,
  { plays, acts, ends }: { readonly plays: Plays; readonly acts: Acts; readonly ends: Ends },
): Promise<string> {
  const time = timeOf(shop);
  const { clock, pass } = time;
  const signal = new AbortController().signal;
  let slept: number | null = 0;
  /** Of a program that is played: a mistake of the scenario. */
  let broken: unknown = null;
  const start: Shell['start'] = async (target, child) => {
    const name = [child.kind, child.plan ?? ''].join(' ').trim();
    const before = startsOf(shop).filter((one) => one === name).length;
    writeFileSync(startsFile(shop), `${name}\n`, { flag: 'a' });
    const play = async (): Promise<void> => {
      const answer = await plays({ shop, target: { ...target, io: quickIo() }, child, before, time });
      const log = join(shop.root, child.log);
      mkdirSync(dirname(log), { recursive: true });
      writeFileSync(log, answer === null ? 'killed\n' : `it says something\n${JSON.stringify(answer)}\n`);
    };
    // Ended when the daemon writes down its pid, or later.
    if (ends === 'at-once') await play();
    const later = ends === 'at-once' ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve)).then(play);
    return { pid: null, ended: later.catch((error: unknown) => (broken = error)) };
  };
  const shell: Shell = {
    configFile: null,
    wakes: {
      wake: () => undefined,
      sleep(ms) {
        slept = ms;
        pass(Math.max(ms ?? 0, 0));
        return new Promise((resolve) => setImmediate(resolve));
      },
    },
    signal,
    started: new Map(),
    takeIssues: () => Promise.resolve(),
    start,
    pause(ms) {
      pass(ms);
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
  for (let ticks = 0; ticks < MOST_TICKS; ticks += 1) {
    const target = await openTarget(
      { repo: shop.root, configFile: null },
      { io, clock, sleep: async (ms) => pass(ms), personDir: join(shop.top, 'person') },
    );
    if (!target.ok) return target.failure.reason;
    slept = 0;
    if (broken !== null) throw broken;
    const done = await tick(target.value, shell);
    if (!done.ok) return done.failure.reason;
    if (done.value.do !== 'wait') continue;
    const { why } = done.value;
    noteWait(shop);
    if (await acts({ shop, target: { ...target.value, io: quickIo() }, why, time })) continue;
    if (slept === null || why === 'nothing-ready') return why;
  }
  return 'never at its end';
}

/** The remote of the shop cannot be reached, or can be again. */
export function setReachable({ top }: FixtureProject, isReachable: boolean): void {
  const [there, away] = [join(top, 'remote.git'), join(top, 'remote.away')];
  if (isReachable && existsSync(away)) renameSync(away, there);
  if (!isReachable && existsSync(there)) renameSync(there, away);
}
