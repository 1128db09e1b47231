// Runs commands: every child carries a marker, has limits, and is ended with everything it started.
// Starts, captures and limits. What ends processes is process-tree.ts; where untrusted code runs is box.ts.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Buffer } from 'node:buffer';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { MAX_TIMER_MS } from './clock.ts';
import { outputBuffer } from './output-buffer.ts';
import { processGroup, processTree, type ProcessGroup } from './process-tree.ts';
import { startInShell, type StartedProcess } from './starter.ts';

export type ProcessCommand = {
  /** Program and arguments; for a shell line use `shellLine`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child: nothing is inherited. */
  readonly env: { readonly [name: string]: string };
  /** The value of HARNESS_TOKEN in the child's environment, by which it is found after a crash. Unique on this machine. */
  readonly token: string;
  readonly wallMs: number;
  /** Ends a child that prints nothing for this long; null: never. */
  readonly idleMs: number | null;
  /** At most this much of each stream is kept, head and tail; the rest is counted. */
  readonly keepBytes: number;
  /** Ends a child that prints more than this on both streams together; null: never. */
  readonly floodBytes: number | null;
  readonly stdin?: string;
  /** How stdout is decoded; `latin1` gives one character per byte. Default UTF-8. */
  readonly encoding?: 'utf8' | 'latin1';
  readonly signal?: AbortSignal;
  /**
   * What happens to processes that outlive a command which exited by itself: `group` (default) ends those of its process group, `all`
   * also those that left the group (needs a look at every process), `leave` lets them run and drains their output: for a script that
   * starts a server. A command that was ended by a limit never leaves anything.
   */
  readonly strays?: 'group' | 'all' | 'leave';
  /**
   * `shell`: started by a small shell that is kept for it, which takes a tenth of the time (starter.ts). One that another process ends
   * by a signal then reports it as shells do, as exit code 128 and more. Only where its token belongs to a place (`place#…`) and it ends
   * what it started. It reads its input from a file.
   */
  readonly startedBy?: 'shell';
  /**
   * One that a shell starts stays in the group of the shell, instead of leading one, which takes another exec: a third of what git takes to
   * answer. For a program that leaves nothing behind: a limit ends it alone, and after it what it started, which is found by its marker.
   */
  readonly staysInGroup?: boolean;
};

export type Exit = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the harness ended it; null: it exited by itself. `missing`: the program could not be started (stderr says why). */
  readonly ended: 'wall' | 'idle' | 'flood' | 'aborted' | 'missing' | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Printed on both streams, kept or not. */
  readonly bytes: number;
  readonly ms: number;
  /** Of a command in a box: why the box could not be opened, so that the command never ran. Left out: it ran. */
  readonly unopened?: string;
};

/** Between TERM and KILL, milliseconds. */
const GRACE_MS = 2_000;
/** A grandchild may hold the pipes open after the command has exited: output is awaited this long. */
const DRAIN_MS = 500;

export const shellLine = (line: string): readonly string[] => ['/bin/sh', '-c', line];

/** Resolves when the command has ended. Never rejects: a program that cannot be started is `ended: 'missing'`. */
export async function runCommand(command: ProcessCommand): Promise<Exit> {
  const started = performance.now();
  const unstarted = (ended: 'aborted' | 'missing' | null, why: string): Exit => ({
    code: null,
    signal: null,
    ended,
    stdout: '',
    stderr: why,
    bytes: 0,
    ms: Math.round(performance.now() - started),
  });
  if (command.signal?.aborted) return unstarted('aborted', '');
  const { argv, cwd, stdin = '', staysInGroup = false } = command;
  // A marker of this very call: commands with the same token run side by side and must not end each other.
  const call = randomUUID();
  const env = { ...command.env, HARNESS_TOKEN: command.token, HARNESS_CALL: call };
  const isForShell = command.startedBy === 'shell' && command.strays !== 'leave';
  const place = isForShell ? /^.*#/s.exec(command.token)?.[0] : undefined;
  const inShell = place === undefined ? null : await startInShell({ argv, cwd, env, staysInGroup }, place, stdin);
  if (inShell === 'lost') return { ...unstarted(null, ''), signal: 'SIGKILL' };
  if (inShell !== null) return supervise(command, inShell, call, started);
  const [program = '', ...args] = argv;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    return unstarted('missing', error instanceof Error ? error.message : String(error));
  }
  if (child.pid === undefined)
    return new Promise((resolve) => {
      child.once('error', (error) => resolve(unstarted('missing', error.message)));
    });
  child.on('error', () => undefined); // a signal could not be sent; a failed start was handled before
  child.stdin.on('error', () => undefined); // a child need not read its input
  child.stdin.end(stdin);
  return supervise(command, child, call, started);
}

function supervise(command: ProcessCommand, child: StartedProcess, call: string, started: number): Promise<Exit> {
  const group = processGroup(child);
  const out = outputBuffer(command.keepBytes);
  const errors = outputBuffer(command.keepBytes);
  const printed = (): number => out.bytes() + errors.bytes();
  const exit = Promise.withResolvers<void>();
  let ended: Exit['ended'] = null;
  let hasExited = false;
  let drain: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    const stop = (why: Exit['ended']): void => {
      if (ended !== null || hasExited) return;
      ended = why;
      void group.end(exit.promise, GRACE_MS).then((endedBy) => {
        if (endedBy === null) finish(null, 'SIGKILL', true);
      });
    };
    const wall = setTimeout(() => stop('wall'), Math.min(command.wallMs, MAX_TIMER_MS));
    const idle =
      command.idleMs === null ? undefined : setTimeout(() => stop('idle'), Math.min(command.idleMs, MAX_TIMER_MS));
    const onAbort = (): void => stop('aborted');
    command.signal?.addEventListener('abort', onAbort, { once: true });
    if (command.signal?.aborted === true) onAbort(); // while it was being started
    const stopLimits = (): void => {
      hasExited = true;
      exit.resolve();
      for (const timer of [wall, idle, drain]) clearTimeout(timer);
      command.signal?.removeEventListener('abort', onAbort);
    };

    let isFinished = false;
    const finish = (code: number | null, signal: NodeJS.Signals | null, isHeld: boolean): void => {
      if (isFinished) return;
      isFinished = true;
      stopLimits();
      void settle(command, child, group, { call, ended, isHeld }).then(() =>
        resolve({
          ...(ended === null ? { code, signal } : asSignal(code, signal)),
          ended,
          stdout: out.text(command.encoding),
          stderr: errors.text(),
          bytes: printed(),
          ms: Math.round(performance.now() - started),
        }),
      );
    };

    for (const [stream, buffer] of [
      [child.stdout, out],
      [child.stderr, errors],
    ] as const)
      stream.on('data', (chunk: Buffer) => {
        if (isFinished) return;
        if (!hasExited) idle?.refresh();
        buffer.add(chunk);
        if (command.floodBytes !== null && printed() > command.floodBytes) stop('flood');
      });
    child.once('exit', (code, signal) => {
      stopLimits();
      // Two more turns of the event loop: after a long pause of ours the last bytes may still be in the pipe.
      drain = setTimeout(() => setImmediate(() => setImmediate(() => finish(code, signal, true))), DRAIN_MS);
    });
    child.once('close', (code, signal) => finish(code, signal, false));
  });
}

/** How a command that the harness ended did end: a shell reports a signal as 128 and its number. */
function asSignal(code: number | null, signal: NodeJS.Signals | null): Pick<Exit, 'code' | 'signal'> {
  if (code === 128 + constants.signals.SIGTERM) return { code: null, signal: 'SIGTERM' };
  return code === 128 + constants.signals.SIGKILL ? { code: null, signal: 'SIGKILL' } : { code, signal };
}

/** Ends, or leaves, what outlived the command, and releases its pipes. `isHeld`: some process still holds them open. */
async function settle(
  command: ProcessCommand,
  child: StartedProcess,
  group: ProcessGroup,
  { call, ended, isHeld }: { call: string; ended: Exit['ended']; isHeld: boolean },
): Promise<void> {
  if (ended === null && command.strays === 'leave') {
    for (const stream of [child.stdout, child.stderr]) keepDraining(stream);
    return;
  }
  group.signal('SIGKILL');
  // A large group takes its time to end; only then does none of it write any more.
  await group.empty();
  if (ended !== null || isHeld || command.strays === 'all')
    await processTree({ variable: 'HARNESS_CALL', value: call }).end();
  child.stdout.destroy();
  child.stderr.destroy();
}

/** A closed pipe would end a server at its next log line: it stays open, is read and discarded, and does not keep this process alive. */
function keepDraining(stream: Readable): void {
  stream.on('error', () => undefined);
  stream.resume();
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
