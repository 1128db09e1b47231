// The real program in a shop: started as the leader of a process group of its own, watched, killed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PROGRAM } from '../../support/repo.ts';
import type { Shop } from '../shop.ts';
import { processesOf } from './processes.ts';

/** A life that takes longer hangs: it is killed, and whoever waits for its end is told so. */
const LONGEST_MS = 180_000;
const POLL_MS = 2;

export type Ended = {
  /** Null: by a signal. */
  readonly code: number | null;
  readonly ms: number;
  readonly said: string;
};
export type Running = {
  readonly pid: number;
  /** When the program itself is gone, whatever it left behind. */
  readonly gone: Promise<Ended>;
  readonly isGone: () => boolean;
};

/** All temporary folders of a shop's programs: what is in it afterwards was left by them. */
export const temporaryOf = ({ top }: Shop): string => join(top, 'tmp');
/** Node's own, which it fills for whoever comes next. It outlives the shop's days: every start would be a slow one otherwise. */
export const COMPILED = 'node-compile-cache';

/** As on the first day, with a temporary folder of its own. */
export function beginDay(shop: Shop, before?: (shop: Shop) => void): void {
  shop.renew();
  const compiled = join(dirname(shop.top), COMPILED);
  mkdirSync(compiled, { recursive: true });
  mkdirSync(temporaryOf(shop));
  symlinkSync(compiled, join(temporaryOf(shop), COMPILED));
  before?.(shop);
}

export function start(shop: Shop): Running {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'run', '--until-done', '--json'], {
    cwd: shop.root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(shop.top, 'home'),
      TMPDIR: temporaryOf(shop),
      LANG: 'C.UTF-8',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  let said = '';
  let isGone = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const gone = new Promise<Ended>((resolve) => {
    const end = (code: number | null): void => resolve({ code, ms: performance.now() - began, said });
    child.once('exit', (code) => {
      isGone = true;
      // The next life does not wait for those that a killed one leaves behind and that may hold its output.
      if (code === null) end(code);
    });
    child.once('close', end);
  });
  return { pid: child.pid ?? 0, gone, isGone: () => isGone };
}

/**
 * `program`: it alone · `group`: with all that have not left its group; what it starts does, and lives on as an orphan ·
 * `everything`: those too, as when a container is stopped or a machine goes down. A git dies in the middle of its work then.
 */
export const KINDS = ['program', 'group', 'everything'] as const;
export type Kind = (typeof KINDS)[number];

/** False: there was nobody left to kill. */
export function kill(shop: Shop, { pid, isGone }: Running, kind: Kind): boolean {
  if (isGone() || !killOne(kind === 'program' ? pid : -pid)) return false;
  if (kind === 'everything') for (const one of processesOf(shop.top)) killOne(one.pid);
  return true;
}

function killOne(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false; // gone, and perhaps not yet told
  }
}

const logOf = ({ stateDir }: Shop): string => join(stateDir, 'logs', 'events.jsonl');

/** What the program told of itself so far, over all of its lives. */
export function eventsOf(shop: Shop): readonly string[] {
  const file = logOf(shop);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/** Until so many more events were told, or the program is gone. */
export async function moreEvents(shop: Shop, running: Running, more: number): Promise<void> {
  const wanted = eventsOf(shop).length + more;
  const size = (): number => statSync(logOf(shop), { throwIfNoEntry: false })?.size ?? 0;
  for (let seen = size(); !running.isGone(); await pause(POLL_MS)) {
    const now = size();
    if (now !== seen && eventsOf(shop).length >= wanted) return;
    seen = now;
  }
}
