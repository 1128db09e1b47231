// The real program in a fixture project: started as the leader of a process group of its own, and killed at a call of its own.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { temporaryPrefix } from '../../../src/host/temporary-folders.ts';
import { workTreeBeside } from '../../../src/repos/work-trees.ts';
import { PROGRAM } from '../../support/repo.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { killProject, type Kind } from './processes.ts';

/** A run that takes longer than this hangs: it is killed, and its end says so. */
const LONGEST_MS = 180_000;

/** Where the program is killed: at its n-th call (kill-at.ts), and so many milliseconds later; 0 is exact. */
export type KillPoint = {
  readonly at: number;
  readonly side: 'before' | 'after';
  readonly kind: Kind;
  readonly ms: number;
};

export type Ended = {
  /** Null: by a signal. */
  readonly code: number | null;
  readonly ms: number;
  readonly said: string;
};

/** All temporary folders of a fixture project's programs: what is in it afterwards was left by them. */
export const temporaryOf = ({ top }: FixtureProject): string => join(top, 'tmp');
/** Node's own cache for the next process. It is kept from mission to mission: otherwise every start would be a slow one. */
export const COMPILED = 'node-compile-cache';

/** As on the first day, with a temporary folder of its own. */
export function beginDay(shop: FixtureProject, before?: (shop: FixtureProject) => void): void {
  shop.renew();
  const compiled = join(dirname(shop.top), COMPILED);
  mkdirSync(compiled, { recursive: true });
  mkdirSync(temporaryOf(shop));
  symlinkSync(compiled, join(temporaryOf(shop), COMPILED));
  before?.(shop);
}

/** As a process leaves them that is killed while a shell comes up, or while it tests the sandbox: moments that no call of the program marks. */
function leaveTemporaryFolders(shop: FixtureProject): void {
  const inTmp = (name: string): string => join(temporaryOf(shop), basename(name));
  const canary = inTmp(`${temporaryPrefix('canary', workTreeBeside(shop.root))}999999999-abcdef`);
  const box = inTmp(`${temporaryPrefix('box', join(canary, 'root'))}abcdef`);
  for (const folder of [inTmp('harness-pipes-999999999-abcdef'), canary, box]) mkdirSync(folder, { recursive: true });
}

/** Runs it to its end, or until it is killed at `point`; `count`: a file that gets the number of its calls. */
export function play(shop: FixtureProject, point: KillPoint | null, count?: string): Promise<Ended> {
  const began = performance.now();
  leaveTemporaryFolders(shop);
  const hook = pathToFileURL(join(import.meta.dirname, 'kill-at.ts'));
  if (count !== undefined) hook.searchParams.set('count', count);
  if (point !== null) {
    const { at, side, kind, ms } = point;
    for (const [name, value] of Object.entries({ at, side, kind, top: shop.top }))
      hook.searchParams.set(name, String(value));
    if (ms > 0) hook.searchParams.set('notify', '');
  }
  const child = spawn(process.execPath, ['--import', hook.href, PROGRAM, 'run', '--until-done', '--json'], {
    cwd: shop.root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(shop.top, 'home'),
      TMPDIR: temporaryOf(shop),
      LANG: 'C.UTF-8',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const reached = child.stdio[3] as Readable;
  reached.once('data', () => {
    setTimeout(() => killProject(shop.top, child.pid ?? 0, point?.kind ?? 'program'), point?.ms);
  });
  return new Promise<Ended>((resolve) => {
    const end = (code: number | null): void => resolve({ code, ms: performance.now() - began, said });
    child.once('exit', (code) => {
      // The next run does not wait for processes that a killed one leaves behind and that may hold its output.
      if (code === null) end(code);
    });
    child.once('close', end);
  });
}

/** The events that the program has written so far, over all of its runs. */
export function eventsOf(shop: FixtureProject): readonly string[] {
  const file = join(shop.stateDir, 'logs', 'events.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
