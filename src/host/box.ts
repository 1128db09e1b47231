// Runs untrusted code: a box around commands, with one level of the sandbox until it is closed. Verification always uses a box. What each
// level stops is in docs/sandbox.md and shown by the tests that try to escape.
//
// Level `none` is no protection. A command in it can read and change every file of this user, ssh keys and other repositories included;
// reach the network and every service of this machine; signal every process of this user, the harness too; and keep a process alive that
// clears its environment and leaves its group. It does not get the secrets of our environment (environment.ts), our terminal, and our
// temporary folder.
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkEnvironment, readEnvironment, type Variables } from './environment.ts';
import { realPath } from './paths.ts';
import { processTree } from './process-tree.ts';
import { runCommand, type ProcessCommand, type Exit } from './process.ts';
import { boxedEnvironment, type BoxLevel, type BoxSettings, type Enclosure, type Mask } from './sandbox/level.ts';
import { enclose, openLevel } from './sandbox/open-level.ts';
import { temporaryFolders, temporaryPrefix } from './temporary-folders.ts';

/** The limits are those of a command; the environment is the box's own. */
export type BoxCommand = Pick<
  ProcessCommand,
  'argv' | 'token' | 'wallMs' | 'idleMs' | 'keepBytes' | 'floodBytes' | 'stdin' | 'signal'
> & {
  /** Relative to the box's root; the root by default. */
  readonly cwd?: string;
  /** Added to the check environment. */
  readonly env?: Variables;
  /** Absolute paths outside the root that can be read (beyond what the level shows anyway) or written. They exist. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** False by default. A level that cannot close the network (`pidns`, `none`) leaves it open. */
  readonly network?: boolean;
  /**
   * What the command starts in the background keeps running until the box is closed: for a script that starts a server. Such commands
   * share one long-lived space, which the first of them opens with its own setting of the network; `readable` and `writable` have no
   * effect there.
   */
  readonly leaveRunning?: boolean;
};

export type Box = {
  /** The level in effect, for evidence and reports. */
  readonly level: BoxLevel;
  /** Where commands find the root. */
  readonly seenAt: string;
  /** Its own folder for temporary files, which commands may write. */
  readonly temporary: string;
  /** As `runCommand`: never rejects. Afterwards nothing of the command is running, except with `leaveRunning`. */
  run(command: BoxCommand): Promise<Exit>;
  /**
   * What an agent's program is started behind, where the level has an enclosure: the root is writable, the network is open. `access`:
   * absolute paths outside the root; those that do not exist are ignored. `masks`: what it sees in the place of other paths; left out: nothing.
   */
  enclose(access: {
    readonly readable: readonly string[];
    readonly writable: readonly string[];
    readonly masks?: readonly Mask[];
  }): Enclosure;
  /** Ends everything that was started in the box and removes its temporary folder. Safe to call twice. */
  close(): Promise<void>;
};

export type BoxOptions = {
  /** The one folder that its commands are meant to write. */
  readonly root: string;
  /** A level that holds on this machine (sandbox/probe.ts); with any other one every command fails. */
  readonly level: BoxLevel;
  /** The path at which commands find the root, where the level can mount it there; elsewhere they find it at its own. */
  readonly at?: string;
  /** Paths that can be read in the box although they are in a hidden folder. */
  readonly shown?: readonly string[];
  /** Folders that cannot be read in the box, where the level can hide them: the harness's own. */
  readonly hidden?: readonly string[];
  /** Folders outside the root that agents write: no program from there is started outside of the box. */
  readonly untrusted?: readonly string[];
  /** Paths that commands with `leaveRunning` reach although the box hides them; `~/` is the home. */
  readonly sockets?: readonly string[];
};

/** Removes what boxes over `roots` left that were never closed. Only for a process that knows that no other one has a box there. */
export function sweepBoxes(roots: readonly string[]): void {
  for (const folder of temporaryFolders('box', roots)) rmSync(folder, { recursive: true, force: true });
}

export async function openBox({
  root,
  level,
  at,
  shown = [],
  hidden = [],
  untrusted = [],
  sockets = [],
}: BoxOptions): Promise<Box> {
  const folder = realPath(await mkdtemp(temporaryPrefix('box', root)));
  const [temporary, notes] = [join(folder, 't'), join(folder, 'notes')];
  for (const path of [temporary, notes]) await mkdir(path);
  const id = randomUUID();
  const standard = checkEnvironment({ TMPDIR: temporary });
  const { home } = readEnvironment();
  const settings: BoxSettings = {
    root: realPath(root),
    at: realPath(level === 'bwrap' ? (at ?? root) : root),
    shown: shown.map(realPath),
    temporary,
    notes,
    hidden: hidden.map(realPath),
    sockets: sockets.map((path) => realPath(path.startsWith('~/') ? join(home ?? '/', path.slice(2)) : path)),
    home: home === null || home === '/' ? null : realPath(home),
    path: standard['PATH'] ?? '',
    untrusted: untrusted.map(realPath),
  };
  const wrap = openLevel(level, settings);
  // To look at every process of the machine takes milliseconds: only where there may be one to find.
  let mayBeLeft = false;
  let running = 0;
  return {
    level,
    seenAt: settings.at,
    temporary,
    async run(command) {
      const { token, wallMs, idleMs, keepBytes, floodBytes, stdin, signal } = command;
      const cwd = resolve(root, command.cwd ?? '.');
      const env = { ...standard, ...command.env, HARNESS_BOX: id };
      const isLeft = command.leaveRunning === true;
      const access = {
        cwd: realPath(cwd),
        readable: command.readable ?? [],
        writable: command.writable ?? [],
        network: command.network === true,
      };
      const boxed = await wrap(command.argv, access, { isLeft, env: { ...env, HARNESS_TOKEN: token } });
      const endsWhole = boxed.endsWhole === true;
      mayBeLeft ||= !endsWhole;
      running += 1;
      const exit = await runCommand({
        argv: boxed.argv,
        cwd,
        env: boxedEnvironment(env, boxed),
        token,
        wallMs,
        idleMs,
        keepBytes,
        floodBytes,
        strays: isLeft ? 'leave' : endsWhole ? 'group' : 'all',
        // Such a box reports the signal that ended its command as a shell does, too.
        ...(endsWhole && !isLeft ? { startedBy: 'shell' as const } : {}),
        ...(stdin === undefined ? {} : { stdin }),
        ...(signal === undefined ? {} : { signal }),
      });
      running -= 1;
      const wasOpen = (await boxed.settled?.()) ?? true;
      // One that was ended may have been on its way.
      return wasOpen || exit.ended !== null ? exit : { ...exit, unopened: exit.stderr.trim() };
    },
    enclose: ({ readable, writable, masks = [] }) =>
      enclose(level, settings, {
        cwd: settings.root,
        readable: readable.filter((path) => existsSync(path)),
        writable: writable.filter((path) => existsSync(path)),
        network: true,
        masks,
      }),
    async close() {
      if (mayBeLeft || running > 0) await processTree({ variable: 'HARNESS_BOX', value: id }).end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
