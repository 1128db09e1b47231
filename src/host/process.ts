// Child processes of the harness: every one carries a marker, has limits, and is ended as a whole tree.
// Owns: starting, capturing, limiting, ending. Does not own: boxes (box.ts), finding survivors of a crash (survivors.ts).
import { spawn } from 'node:child_process';
import { Buffer } from 'node:buffer';

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
  readonly signal?: AbortSignal;
};

export type Exit = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why the harness ended it; null: it ended by itself. `missing`: the program could not be started. */
  readonly ended: 'wall' | 'idle' | 'flood' | 'aborted' | 'missing' | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: number;
  readonly ms: number;
};

/** TERM first, KILL for what is left so many milliseconds later. */
const GRACE_MS = 2_000;

export const shellLine = (line: string): readonly string[] => ['/bin/sh', '-c', line];

/** Runs a command to its end. Never rejects: a program that cannot be started is `ended: 'missing'`. */
export function runCommand(command: Command): Promise<Exit> {
  const started = performance.now();
  const [program = '', ...args] = command.argv;
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: { ...command.env, HARNESS_TOKEN: command.token },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out = new Capture(command.keepBytes);
  const errors = new Capture(command.keepBytes);
  let ended: Exit['ended'] = null;
  let idle: NodeJS.Timeout | undefined;
  let force: NodeJS.Timeout | undefined;
  const stop = (why: Exit['ended']): void => {
    if (ended !== null) return;
    ended = why;
    signalGroup(child.pid, 'SIGTERM');
    force = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
  };
  const alive = (): void => {
    if (command.idleMs === null) return;
    clearTimeout(idle);
    idle = setTimeout(() => stop('idle'), command.idleMs);
  };
  const wall = setTimeout(() => stop('wall'), command.wallMs);
  const onAbort = (): void => stop('aborted');
  alive();
  if (command.signal?.aborted) onAbort();
  command.signal?.addEventListener('abort', onAbort, { once: true });
  for (const [stream, capture] of [
    [child.stdout, out],
    [child.stderr, errors],
  ] as const)
    stream.on('data', (chunk: Buffer) => {
      alive();
      capture.add(chunk);
      if (command.floodBytes !== null && out.bytes + errors.bytes > command.floodBytes) stop('flood');
    });
  child.stdin.on('error', () => undefined); // a child that does not read its input is its own business
  child.stdin.end(command.stdin ?? '');
  return new Promise((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
      clearTimeout(wall);
      clearTimeout(idle);
      clearTimeout(force);
      command.signal?.removeEventListener('abort', onAbort);
      signalGroup(child.pid, 'SIGKILL'); // whoever of the group outlived its leader
      resolve({
        code,
        signal,
        ended,
        stdout: out.text(),
        stderr: errors.text(),
        bytes: out.bytes + errors.bytes,
        ms: Math.round(performance.now() - started),
      });
    };
    child.once('error', () => {
      ended ??= 'missing';
      finish(null, null);
    });
    child.once('close', finish);
  });
}

export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group is gone, which is what was wanted
  }
}

/** Keeps the head and the tail of a stream, and says how much is missing between them. */
class Capture {
  bytes = 0;
  private readonly keep: number;
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);
  constructor(keep: number) {
    this.keep = keep;
  }
  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    const half = this.keep >> 1;
    const room = half - this.head.length;
    if (room > 0) this.head = Buffer.concat([this.head, chunk.subarray(0, room)]);
    const rest = room > 0 ? chunk.subarray(room) : chunk;
    if (rest.length === 0) return;
    const joined = Buffer.concat([this.tail, rest]);
    this.tail = joined.subarray(Math.max(0, joined.length - half));
  }
  text(): string {
    const missing = this.bytes - this.head.length - this.tail.length;
    const gap = missing > 0 ? `\n… ${missing} bytes left out …\n` : '';
    return this.head.toString('utf8') + gap + this.tail.toString('utf8');
  }
}
