// Child processes of the harness: every one carries a marker, has limits, and is ended as a whole tree.
// Owns: starting, capturing, limiting, ending. Does not own: boxes (box.ts), finding survivors of a crash (survivors.ts).
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { openCapture } from './capture.ts';
import { endMarked, isGroupAlive, LOST_MS, untilGone } from './survivors.ts';

export type Command = {
  /** Program and arguments; for a shell line use `shellLine`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child: nothing is inherited. */
  readonly env: { readonly [name: string]: string };
  /** Found again after a crash by this value of HARNESS_TOKEN in the child's environment. Unique on this machine. */
  readonly token: string;
  readonly wallMs: number;
  /** Ends a child that prints nothing for so long; null: never. */
  readonly idleMs: number | null;
  /** Of each stream at most this much is kept, head and tail; the rest is counted. */
  readonly keepBytes: number;
  /** A child that prints more than this on both streams together is ended; null: never. */
  readonly floodBytes: number | null;
  readonly stdin?: string;
  /** Of what it prints; `latin1` gives every byte as it came, a character each. Default UTF-8. */
  readonly encoding?: 'utf8' | 'latin1';
  readonly signal?: AbortSignal;
  /**
   * What becomes of processes that outlive a command which ended by itself: `group` (default) ends those of its process
   * group, `all` also those that left it (costs a look at every process), `leave` lets them run, their output drained:
   * for a script that starts a server. A command ended by a limit never leaves anything.
   */
  readonly strays?: 'group' | 'all' | 'leave';
};

export type Exit = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the harness ended it; null: it ended by itself. `missing`: the program could not be started (stderr says why). */
  readonly ended: 'wall' | 'idle' | 'flood' | 'aborted' | 'missing' | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: number;
  readonly ms: number;
};

/** TERM first, KILL for what is left so many milliseconds later. */
const GRACE_MS = 2_000;
/** A grandchild may hold the pipes open after the command has ended: so long its last words are waited for. */
const DRAIN_MS = 500;
/** The longest delay a timer takes; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export const shellLine = (line: string): readonly string[] => ['/bin/sh', '-c', line];

/** Runs a command to its end. Never rejects: a program that cannot be started is `ended: 'missing'`. */
export function runCommand(command: Command): Promise<Exit> {
  const started = performance.now();
  const unstarted = (ended: 'aborted' | 'missing', why: string): Exit => ({
    code: null,
    signal: null,
    ended,
    stdout: '',
    stderr: why,
    bytes: 0,
    ms: Math.round(performance.now() - started),
  });
  if (command.signal?.aborted) return Promise.resolve(unstarted('aborted', ''));
  const [program = '', ...args] = command.argv;
  // One more marker, of this very call: commands of one token run side by side and must not end each other.
  const call = randomUUID();
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(program, args, {
      cwd: command.cwd,
      env: { ...command.env, HARNESS_TOKEN: command.token, HARNESS_CALL: call },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return Promise.resolve(unstarted('missing', error instanceof Error ? error.message : String(error)));
  }
  if (child.pid === undefined)
    return new Promise((resolve) => {
      child.once('error', (error) => resolve(unstarted('missing', error.message)));
    });
  return supervise(command, child, call, started);
}

function supervise(
  command: Command,
  child: ChildProcessWithoutNullStreams,
  call: string,
  started: number,
): Promise<Exit> {
  const out = openCapture(command.keepBytes);
  const errors = openCapture(command.keepBytes);
  const printed = (): number => out.bytes() + errors.bytes();
  let ended: Exit['ended'] = null;
  let exited = false;
  let force: NodeJS.Timeout | undefined;
  let lost: NodeJS.Timeout | undefined;
  let drain: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    const stop = (why: Exit['ended']): void => {
      if (ended !== null || exited) return;
      ended = why;
      signalGroup(child.pid, 'SIGTERM');
      force = setTimeout(() => {
        signalGroup(child.pid, 'SIGKILL');
        lost = setTimeout(() => finish(null, 'SIGKILL', true), LOST_MS);
      }, GRACE_MS);
    };
    const wall = setTimeout(() => stop('wall'), Math.min(command.wallMs, LONGEST_MS));
    const idle =
      command.idleMs === null ? undefined : setTimeout(() => stop('idle'), Math.min(command.idleMs, LONGEST_MS));
    const onAbort = (): void => stop('aborted');
    command.signal?.addEventListener('abort', onAbort, { once: true });
    const quiet = (): void => {
      for (const timer of [wall, idle, force, lost, drain]) clearTimeout(timer);
      command.signal?.removeEventListener('abort', onAbort);
    };

    let finished = false;
    const finish = (code: number | null, signal: NodeJS.Signals | null, held: boolean): void => {
      if (finished) return;
      finished = true;
      exited = true;
      quiet();
      void settle(command, child, { call, ended, held }).then(() =>
        resolve({
          code,
          signal,
          ended,
          stdout: out.text(command.encoding),
          stderr: errors.text(),
          bytes: printed(),
          ms: Math.round(performance.now() - started),
        }),
      );
    };

    for (const [stream, capture] of [
      [child.stdout, out],
      [child.stderr, errors],
    ] as const)
      stream.on('data', (chunk: Buffer) => {
        if (finished) return;
        if (!exited) idle?.refresh();
        capture.add(chunk);
        if (command.floodBytes !== null && printed() > command.floodBytes) stop('flood');
      });
    child.stdin.on('error', () => undefined); // a child that does not read its input is its own business
    child.stdin.end(command.stdin ?? '');
    child.on('error', () => undefined); // of a signal that could not be sent; a failed start never comes here
    child.once('exit', (code, signal) => {
      exited = true;
      quiet();
      // Two turns of the loop more: after a long pause of ours the last bytes are still in the pipe, nobody holds it.
      drain = setTimeout(() => setImmediate(() => setImmediate(() => finish(code, signal, true))), DRAIN_MS);
    });
    child.once('close', (code, signal) => finish(code, signal, false));
  });
}

/** Ends, or leaves, whoever outlived the command, and lets go of its pipes. */
async function settle(
  command: Command,
  child: ChildProcessWithoutNullStreams,
  { call, ended, held }: { call: string; ended: Exit['ended']; held: boolean },
): Promise<void> {
  if (ended === null && command.strays === 'leave') {
    for (const stream of [child.stdout, child.stderr]) letFlow(stream);
    return;
  }
  signalGroup(child.pid, 'SIGKILL');
  const group = child.pid;
  // A large one takes its time to die: only then nobody of them writes any more.
  if (group !== undefined) await untilGone(() => isGroupAlive(group));
  if (ended !== null || held || command.strays === 'all') await endMarked({ variable: 'HARNESS_CALL', prefix: call });
  child.stdout.destroy();
  child.stderr.destroy();
}

/** A closed pipe would end a server at its next line of log: so it stays open, read and forgotten, and holds nobody up. */
function letFlow(stream: Readable): void {
  stream.on('error', () => undefined);
  stream.resume();
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}

export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group is gone, which is what was wanted
  }
}
