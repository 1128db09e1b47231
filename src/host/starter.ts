// Small shells that start commands for this process. The kernel copies the page tables of a process that forks: here 4 ms at 130 MB
// of memory and 8 ms at 300 MB, in which nothing else runs, while a shell of one megabyte forks in 0.2 ms. So a command goes to a
// shell that is kept, one command at a time, and prints into two pipes that this process reads. Owns the shells and their protocol.
//
// A shell ends with this process, whatever kills it (`setpriv --pdeathsig`), so it starts nothing later, and a box that ends with its
// parent still does. Linux only: elsewhere Node does not fork (libuv uses posix_spawn on macOS).
import { spawn, type ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { constants, closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { CAN_LIST_PROCESSES } from './process-table.ts';
import { isProgram } from './installed-program.ts';
import { spareProcess, type GroupLeader } from './process-tree.ts';
import { canBeScript, preamble, scriptOf, type StartableCommand } from './starter-script.ts';

/** What `ChildProcess` has and the supervision of a command needs. Its pipes have no input left to write. */
export type StartedProcess = GroupLeader & {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** `exit`: it has ended. `close`: its pipes are closed, too. */
  once(event: 'exit' | 'close', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
};

/** A message before a command is handed to a shell and one after it: for tests that end this process there, and for measurements. */
export type StarterMessage = {
  readonly phase: 'before' | 'after' | 'end';
  readonly argv: readonly string[];
  readonly id: number;
};
const messages = channel('harness.command');

/** A shell that is not ready by then is given up, and commands are started without one; milliseconds. */
const READY_MS = 5_000;
type Programs = { readonly setpriv: string; readonly setsid: string; readonly mkfifo: string };
type Shell = {
  readonly child: ChildProcess;
  readonly setsid: string;
  /** Both pipes, open for reading: what a command prints is read from a second opening, which ends when its last writer has gone. */
  readonly pipes: readonly [number, number];
  /** Takes the next lines of the shell. */
  take: (line: string) => void;
  isBroken: boolean;
};

const idle = new Map<string, Shell[]>();
let programs: Programs | null | undefined;
let isUsable = CAN_LIST_PROCESSES;
let count = 0;

/**
 * Starts a command, in a process group of its own. `place`: how the tokens of all processes of a work tree begin (`…#`), so that the
 * shell is found after a crash, too. null: it cannot be started in this way, and was not; `lost`: the shell was ended from outside while it started the command.
 */
export async function startInShell(command: StartableCommand, place: string): Promise<StartedProcess | 'lost' | null> {
  if (!isUsable || !canBeScript(command) || !existsSync(command.cwd)) return null;
  // What cannot be started is left to `spawn`, which says why.
  if (findProgram(command.argv[0] ?? '', command.env['PATH'] ?? '') === null) return null;
  const shell = idle.get(place)?.pop() ?? (await openShell(place, command.env['PATH'] ?? ''));
  if (shell === null) {
    isUsable = false;
    return null;
  }
  return started(shell, command, () => {
    idle.set(place, [...(idle.get(place) ?? []), shell]);
  });
}

/** Ends the shells of a place that start nothing at present. Resolves when they have exited; a later command opens another. */
export async function endShells(place: string): Promise<void> {
  const shells = idle.get(place) ?? [];
  await Promise.all(
    shells.map(async (shell) => {
      const exited = new Promise((resolve) => shell.child.once('exit', resolve));
      discard(shell);
      shell.child.ref();
      await exited;
    }),
  );
}

/** A relative path would be looked for in the folder of the command: it is not looked for at all. */
function findProgram(name: string, path: string): string | null {
  const files = name.includes('/')
    ? [name]
    : path.split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, name)]));
  return files.find((file) => isAbsolute(file) && isProgram(file)) ?? null;
}

async function openShell(place: string, path: string): Promise<Shell | null> {
  programs ??= findPrograms(path);
  if (programs === null) return null;
  const { setpriv, setsid, mkfifo } = programs;
  const folder = mkdtempSync(join(tmpdir(), 'harness-pipes-'));
  try {
    const [out, errors] = [join(folder, 'out'), join(folder, 'err')];
    const child = spawn(setpriv, ['--pdeathsig', 'KILL', '/bin/sh'], {
      cwd: '/',
      env: { HARNESS_TOKEN: `${place}start` },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const ready = Promise.withResolvers<boolean>();
    const shell: Shell = {
      child,
      setsid,
      pipes: [-1, -1],
      take: (line) => ready.resolve(line === 'ready'),
      isBroken: false,
    };
    child.on('error', () => ready.resolve(false));
    child.once('exit', () => {
      ready.resolve(false);
      discard(shell);
    });
    child.stdin?.on('error', () => undefined);
    eachLine(child.stdout, (line) => shell.take(line));
    if (child.pid === undefined) return null;
    spareProcess(child);
    child.stdin?.write(preamble(mkfifo, out, errors));
    const late = setTimeout(() => ready.resolve(false), READY_MS);
    const isReady = await ready.promise;
    clearTimeout(late);
    if (!isReady) {
      discard(shell);
      return null;
    }
    const pipes = [openToRead(out), openToRead(errors)] as const;
    return Object.assign(shell, { pipes });
  } finally {
    // Both sides have the pipes open: nothing is left on the disk, whatever ends this process.
    rmSync(folder, { recursive: true, force: true });
  }
}

function findPrograms(path: string): Programs | null {
  const folders = ['/usr/bin', '/bin', path].join(delimiter);
  const [setpriv, setsid, mkfifo] = ['setpriv', 'setsid', 'mkfifo'].map((name) => findProgram(name, folders));
  return setpriv && setsid && mkfifo ? { setpriv, setsid, mkfifo } : null;
}

function started(shell: Shell, command: StartableCommand, release: () => void): Promise<StartedProcess | 'lost'> {
  const id = (count += 1);
  const tell = (phase: StarterMessage['phase']): void => {
    if (messages.hasSubscribers) messages.publish({ phase, argv: command.argv, id } satisfies StarterMessage);
  };
  const events = new EventEmitter();
  // Opened before the command has: one that is opened after the last writer has gone never ends.
  const again = (pipe: number): number => openToRead(`/proc/self/fd/${pipe}`);
  const files = [again(shell.pipes[0]), again(shell.pipes[1])] as const;
  const end: { exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | null; open: number } = {
    exit: null,
    open: files.length,
  };
  return new Promise((resolve) => {
    let [isRunning, isClosed] = [false, false];
    const closeWhereDone = (): void => {
      if (end.exit === null || end.open > 0 || isClosed) return;
      isClosed = true;
      if (!shell.isBroken) release();
      events.emit('close', end.exit.code, end.exit.signal);
    };
    const exited = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (end.exit !== null) return;
      end.exit = { code, signal };
      hold(shell, false);
      tell('end');
      if (!isRunning) {
        for (const file of files) closeSync(file);
        discard(shell);
        return resolve('lost');
      }
      // The caller, who waits for this promise, has not seen the process yet where both lines came at once.
      setImmediate(() => {
        events.emit('exit', code, signal);
        closeWhereDone();
      });
    };
    const isLost = (): void => exited(null, 'SIGKILL');
    shell.child.once('exit', isLost);
    shell.take = (line) => {
      const [what, number] = line.split(' ');
      if (what === 'end') {
        shell.child.off('exit', isLost);
        return exited(Number(number), null);
      }
      isRunning = true;
      const pipe = (file: number): Socket =>
        pipeOf(file, (isWhole) => {
          // Something may still print into a pipe that was not read to its end.
          if (!isWhole) discard(shell);
          end.open -= 1;
          if (end.exit !== null) setImmediate(closeWhereDone);
        });
      resolve({
        pid: Number(number),
        ...(shell.child.pid === undefined ? {} : { parent: shell.child.pid }),
        get exitCode() {
          return end.exit?.code ?? null;
        },
        get signalCode() {
          return end.exit?.signal ?? null;
        },
        stdout: pipe(files[0]),
        stderr: pipe(files[1]),
        once: (event, listener) => events.once(event, listener),
      });
    };
    hold(shell, true);
    tell('before');
    shell.child.stdin?.write(scriptOf(command, shell.setsid));
    tell('after');
  });
}

/** `closed`: whether it was read until its last writer had gone. */
function pipeOf(file: number, closed: (isWhole: boolean) => void): Socket {
  const pipe = new Socket({ fd: file, readable: true, writable: false });
  let isWhole = false;
  pipe.on('error', () => undefined);
  pipe.once('end', () => (isWhole = true));
  pipe.once('close', () => closed(isWhole));
  return pipe;
}

const openToRead = (path: string): number => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);

/** It ends by itself at the end of its input; it is not used again. */
function discard(shell: Shell): void {
  if (shell.isBroken) return;
  shell.isBroken = true;
  shell.child.stdin?.end();
  hold(shell, false);
  for (const pipe of shell.pipes) if (pipe >= 0) closeSync(pipe);
  for (const [place, shells] of idle)
    idle.set(
      place,
      shells.filter((one) => one !== shell),
    );
}

/** Whether this process waits for the shell before it ends by itself. */
function hold({ child }: Shell, isHeld: boolean): void {
  for (const one of [child, child.stdin, child.stdout]) {
    if (!(one === child || one instanceof Socket)) continue;
    if (isHeld) one.ref();
    else one.unref();
  }
}

function eachLine(stream: Readable | null, use: (line: string) => void): void {
  let rest = '';
  stream?.on('error', () => undefined);
  stream?.setEncoding('latin1').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) use(line);
  });
}
