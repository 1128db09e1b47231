// The process of a provider's program: started in its box and in a group of its own, the end of its stderr kept, and ended with
// everything it started. Its shells lead sessions of their own, so no group signal reaches them: they are found as its process tree.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { settlesWithin } from '../host/clock.ts';
import { processId } from '../host/process-table.ts';
import { processGroup, processTree } from '../host/process-tree.ts';
import { inBox } from '../host/sandbox/level.ts';
import type { SessionSpec } from './port.ts';

export type ProgramOptions = Pick<SessionSpec, 'token' | 'box'> & {
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: { readonly [name: string]: string };
  readonly signal?: AbortSignal | undefined;
  /** Between TERM and KILL, for the program and for what it left running; milliseconds. */
  readonly graceMs: { readonly program: number; readonly leftovers: number };
};

/** `error`: the program could not be started. Otherwise it exited with a code or by a signal. */
export type ProgramExit = {
  readonly error: NodeJS.ErrnoException | null;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
};

export type Program = {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the program has exited and its last output was read. Never rejects. */
  readonly exited: Promise<ProgramExit>;
  /** The end of what it wrote to stderr, at most 4,000 characters. */
  stderr(): string;
  /** Ends what its tools left running, and keeps the program. */
  sweep(): Promise<void>;
  /** Waits `patienceMs` for it to exit by itself, then ends it, then ends what is left of its tree. Safe to call twice. */
  end(patienceMs: number): Promise<void>;
};

const STDERR_CHARS = 4_000;
/** The kernel needs a few milliseconds to end a box whose program has exited. What takes longer is looked for. */
const BOX_MS = 200;
/** A child of the program can hold its output open: output is not awaited longer than this after the exit. */
const LAST_OUTPUT_MS = 300;

/** Never throws for a program that is not there: `exited` says why. */
export function startProgram(options: ProgramOptions): Program {
  const { token, box, cwd, signal, graceMs } = options;
  const { argv, env } = inBox(box, options.argv, options.env);
  const [command = '', ...args] = argv;
  const child = spawn(command, args, {
    cwd,
    env: { ...env, HARNESS_TOKEN: token },
    signal,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const group = processGroup(child);
  const id = child.pid === undefined ? null : processId(child.pid);
  const tree = processTree(
    { variable: 'HARNESS_TOKEN', value: token },
    id === null ? null : { ...id, isBox: box !== undefined },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS);
  });
  child.stdin.on('error', () => undefined); // the program has exited: `exited` says so
  const exit = Promise.withResolvers<void>();
  const exited = new Promise<ProgramExit>((resolve) => {
    child.once('error', (error) => {
      if (child.pid !== undefined) return;
      exit.resolve();
      resolve({ error, code: null, signal: null });
    });
    child.once('exit', (code, name) => {
      exit.resolve();
      setTimeout(() => resolve({ error: null, code, signal: name }), LAST_OUTPUT_MS).unref();
    });
    child.once('close', (code, name) => resolve({ error: null, code, signal: name }));
  });
  return {
    child,
    exited,
    stderr: () => stderr.trim(),
    async sweep() {
      if (child.pid !== undefined) await tree.end(0);
    },
    async end(patienceMs) {
      if (child.pid === undefined) return;
      // What is in a box ends with it: there is nothing to remember.
      if (!tree.findBox()) tree.find();
      let endedBy: 'SIGTERM' | 'SIGKILL' | null = null;
      if (!(await settlesWithin(patienceMs, exit.promise))) {
        if (patienceMs > 0) tree.find();
        endedBy = await group.end(exit.promise, graceMs.program);
      }
      // The kernel has ended all that was in the box: there is nothing to look for.
      if (box !== undefined && (await tree.boxEnded(BOX_MS))) return;
      await tree.end(endedBy === 'SIGKILL' ? 0 : graceMs.leftovers);
    },
  };
}
