// Small shells that start commands for this process. The kernel copies the page tables of a process that forks: here 4 ms at 130 MB
// of memory and 8 ms at 300 MB, in which nothing else runs, while a shell of one megabyte forks in 0.2 ms. So a command goes to a
// shell that is kept, one command at a time, and prints into two pipes that this process reads. Its input is a file, so that it
// passes through nothing that could change it. Owns the shells and their protocol.
//
// A shell ends with this process, whatever kills it (`setpriv --pdeathsig`), so it starts nothing later, and a box that ends with its
// parent still does. Linux only: elsewhere Node does not fork (libuv uses posix_spawn on macOS).
import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { Buffer } from 'node:buffer';
import { closeSync, existsSync, ftruncateSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { holdProcess } from './hold-process.ts';
import { CAN_LIST_PROCESSES, isAlive } from './process-table.ts';
import type { GroupLeader } from './process-tree.ts';
import { canBeScript, scriptOf, type StartableCommand } from './starter-script.ts';
import { discard, findProgram, inputPath, openShell, readersOf, type StarterShell } from './starter-shell.ts';

/** What `ChildProcess` has and the supervision of a command needs. */
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

const idle = new Map<string, StarterShell[]>();
let isUsable = CAN_LIST_PROCESSES;
let count = 0;

/**
 * Starts a command, in a process group of its own unless it stays in that of its shell. `place`: how the tokens of all processes of a work tree begin (`…#`), so that the
 * shell is found after a crash, too. null: it cannot be started in this way, and was not; `lost`: the shell was ended from outside while
 * it started the command.
 */
export async function startInShell(
  command: StartableCommand,
  place: string,
  stdin: string,
): Promise<StartedProcess | 'lost' | null> {
  if (!isUsable || !canBeScript(command) || !existsSync(command.cwd)) return null;
  // What cannot be started is left to `spawn`, which says why.
  if (findProgram(command.argv[0] ?? '', command.env['PATH'] ?? '') === null) return null;
  const shell = await shellFor(place, command.env['PATH'] ?? '');
  if (shell === null) return null;
  // Opened before the command has them: what is opened after the last writer has gone never ends.
  const files = readersOf([`/proc/self/fd/${shell.pipes[0]}`, `/proc/self/fd/${shell.pipes[1]}`]);
  if (files === null || (stdin !== '' && !writeInput(shell, stdin))) {
    for (const file of files ?? []) closeSync(file);
    discard(shell);
    return null;
  }
  const input = stdin === '' ? '/dev/null' : inputPath(shell.input);
  return started(shell, files, scriptOf(command, shell.setsid, input), command.argv, () => {
    idle.set(place, [...(idle.get(place) ?? []), shell]);
  });
}

/** The file that the next command of a shell reads. False: there is no room for it. */
function writeInput({ input }: StarterShell, text: string): boolean {
  try {
    ftruncateSync(input);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(input, bytes, at, bytes.length - at, at);
    return true;
  } catch {
    return false;
  }
}

/** One that waits for a command, else a new one. null: none can be opened, and after that none is tried. */
async function shellFor(place: string, path: string): Promise<StarterShell | null> {
  for (let shell = idle.get(place)?.pop(); shell !== undefined; shell = idle.get(place)?.pop()) {
    if (!shell.isBroken && isAlive(shell.child.pid ?? 0)) return shell;
    discard(shell);
  }
  // No room for a folder, no more open files: Node starts the command itself, and fails where it has to.
  const opened = await openShell(place, path).catch(() => null);
  if (opened === null) isUsable = false;
  return opened;
}

/** Ends the shells of a place that start nothing at present. Resolves when they have exited; a later command opens another. */
export async function endShells(place: string): Promise<void> {
  const shells = (idle.get(place) ?? []).filter((shell) => !shell.isBroken);
  idle.delete(place);
  await Promise.all(
    shells.map(async (shell) => {
      const exited = new Promise((resolve) => shell.child.once('exit', resolve));
      discard(shell);
      shell.child.ref();
      await exited;
    }),
  );
}

/** Those of every place: a command that has ended leaves no process. */
export const endAllShells = (): Promise<unknown> => Promise.all([...idle.keys()].map(endShells));

function started(
  shell: StarterShell,
  files: readonly [number, number],
  script: string,
  argv: readonly string[],
  release: () => void,
): Promise<StartedProcess | 'lost'> {
  const id = (count += 1);
  const tell = (phase: StarterMessage['phase']): void => {
    if (messages.hasSubscribers) messages.publish({ phase, argv, id } satisfies StarterMessage);
  };
  const events = new EventEmitter();
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
      holdProcess(shell.child, false);
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
    holdProcess(shell.child, true);
    tell('before');
    shell.child.stdin?.write(script);
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
