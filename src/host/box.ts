// Where agent-written code runs: a box around commands, of one level for its whole life. Verification always takes a box.
// What each level stops is in docs/sandbox.md, and test/adversarial/escape.test.ts shows it.
//
// Level `none` is no protection. A command in it can read and change every file this user can, ssh keys and other
// repositories included; reach the network and every service of this machine; signal every process of this user, the
// harness too; and keep a process alive that clears its environment and leaves its group. What it does not get are the
// secrets of our environment (environment.ts), our terminal, and our temporary folder.
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkEnvironment, readEnvironment, type Variables } from './environment.ts';
import { runCommand, type Command, type Exit } from './process.ts';
import { temporariesOf, temporaryOf } from './temporary.ts';
import { realOf, type BoxLevel, type Enclosure, type Place } from './sandbox/level.ts';
import { enclose, openLevel } from './sandbox/open.ts';
import { endMarked } from './survivors.ts';

/** The limits are those of a command; the environment is the box's own. */
export type BoxCommand = Pick<
  Command,
  'argv' | 'token' | 'wallMs' | 'idleMs' | 'keepBytes' | 'floodBytes' | 'stdin' | 'signal'
> & {
  /** Relative to the box's root; the root by default. */
  readonly cwd?: string;
  /** On top of the check environment. */
  readonly env?: Variables;
  /** Absolute paths beside the root that may be read (beyond what the level shows anyway) or written. They exist. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** False by default. A level that cannot close the network (`pidns`, `none`) leaves it open. */
  readonly network?: boolean;
  /**
   * What the command starts in the background lives on until the box is closed: for a script that starts a server. Such
   * commands share one long-lived space, which opens with the first of them and whose network is open or closed as that
   * one asked; `readable` and `writable` do not count there.
   */
  readonly leaveRunning?: boolean;
};

export type Box = {
  /** What really protects, for evidence and reports. */
  readonly level: string;
  /** As `runCommand`: never rejects. Afterwards nothing of the command runs any more unless `leaveRunning`. */
  run(command: BoxCommand): Promise<Exit>;
  /**
   * What the program of an agent is started behind, where the level has something for one: the root is writable, and the
   * network is open. Of the paths beside it, absolute, those count that exist.
   */
  enclose(beside: { readonly readable: readonly string[]; readonly writable: readonly string[] }): Enclosure;
  /** Ends everything that was started in the box and removes its temporary folder. Safe to call twice. */
  close(): Promise<void>;
};

export type BoxOptions = {
  /** The one folder its commands are meant to write. */
  readonly root: string;
  /** A level that holds on this machine (sandbox/probe.ts); one that does not makes every command fail. */
  readonly level: BoxLevel;
  /** Folders that nobody in the box may read, where the level can hide them: the harness's own. */
  readonly hidden?: readonly string[];
  /** Folders beside the root that agents write: no program is started from there outside of the box. */
  readonly untrusted?: readonly string[];
};

/** Removes what boxes over `root` left that were never closed. Only when nobody else can have one open there. */
export function sweepBoxes(root: string): void {
  for (const folder of temporariesOf('box', root)) rmSync(folder, { recursive: true, force: true });
}

/** Opens a box over `root`, the one folder its commands are meant to write. */
export async function openBox({ root, level, hidden = [], untrusted = [] }: BoxOptions): Promise<Box> {
  const folder = realOf(await mkdtemp(temporaryOf('box', root)));
  const [temporary, notes] = [join(folder, 't'), join(folder, 'notes')];
  for (const path of [temporary, notes]) await mkdir(path);
  const id = randomUUID();
  const standard = checkEnvironment({ TMPDIR: temporary });
  const { home } = readEnvironment();
  const place: Place = {
    root: realOf(root),
    temporary,
    notes,
    hidden: hidden.map(realOf),
    home: home === null || home === '/' ? null : realOf(home),
    path: standard['PATH'] ?? '',
    untrusted: untrusted.map(realOf),
  };
  const rung = openLevel(level, place);
  return {
    level,
    async run(command) {
      const cwd = resolve(root, command.cwd ?? '.');
      const env = { ...standard, ...command.env, HARNESS_BOX: id };
      const isLeft = command.leaveRunning === true;
      const entry = {
        cwd: realOf(cwd),
        readable: command.readable ?? [],
        writable: command.writable ?? [],
        network: command.network === true,
      };
      const wrapped = await rung(command.argv, entry, { isLeft, env: { ...env, HARNESS_TOKEN: command.token } });
      const exit = await runCommand({
        argv: wrapped.argv,
        cwd,
        env: { ...without(env, wrapped.without), ...wrapped.env },
        token: command.token,
        wallMs: command.wallMs,
        idleMs: command.idleMs,
        keepBytes: command.keepBytes,
        floodBytes: command.floodBytes,
        strays: isLeft ? 'leave' : 'all',
        ...(command.stdin === undefined ? {} : { stdin: command.stdin }),
        ...(command.signal === undefined ? {} : { signal: command.signal }),
      });
      await wrapped.settled?.();
      return exit;
    },
    enclose: ({ readable, writable }) =>
      enclose(level, place, {
        cwd: place.root,
        readable: readable.filter((path) => existsSync(path)),
        writable: writable.filter((path) => existsSync(path)),
        network: true,
      }),
    async close() {
      await endMarked({ variable: 'HARNESS_BOX', prefix: id });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function without(env: Variables, names: readonly string[]): Variables {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
