// Owns the process of a provider's own program: starting it in a group of its own, keeping the end of its stderr, ending
// its whole tree.
// The shells it starts lead sessions of their own, so no group signal reaches them: they are found by descent and token.
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { signalGroup } from '../host/process.ts';
import { enclosed } from './enclosed.ts';
import type { SessionSpec } from './port.ts';
import { markedProcesses } from './tree.ts';
import { within } from './within.ts';

export type SpawnOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal?: AbortSignal;
};

export type Program = {
  start(options: SpawnOptions): ChildProcess & { stdin: Writable; stdout: Readable };
  /** The end of what it wrote to stderr. */
  stderr(): string;
  /** Ends what its tools left running, and keeps the program. */
  sweep(): Promise<void>;
  /** Waits for it to end by itself, then TERM, then KILL, then whoever of its tree is left. Safe to call twice. */
  end(patienceMs: number): Promise<void>;
};

const STDERR_CHARS = 4_000;
/** On TERM the program ends its own shells first, which took 1.5 s where it was measured. */
const TERM_MS = 3_000;
const SWEEPS = 5;

export function openProgram({ token, box }: Pick<SessionSpec, 'token' | 'box'>): Program {
  let child: ChildProcess | null = null;
  let gone: Promise<void> = Promise.resolve();
  let stderr = '';
  // A process can start another between the look and the kill: look again until nothing is found.
  const killTree = async (pid: number, seen: readonly Seen[]): Promise<void> => {
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const left = [...seen.filter(isSame), ...treeOf(pid, token)];
      if (left.length === 0) return;
      for (const { pid } of left) kill(pid);
      await within(20, new Promise(() => undefined));
    }
  };
  return {
    start(options) {
      const { signal } = options;
      const { program, args, env } = enclosed(box, [options.command, ...options.args], setOf(options.env));
      const started = spawn(program, args, {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env,
        ...(signal === undefined ? {} : { signal }),
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr = (stderr + text).slice(-STDERR_CHARS);
      });
      started.stdin.on('error', () => undefined); // said by its exit
      gone = new Promise((resolve) => {
        started.once('exit', () => resolve());
        started.once('error', () => resolve());
      });
      child = started;
      return started;
    },
    stderr: () => stderr,
    async sweep() {
      if (child?.pid !== undefined) await killTree(child.pid, []);
    },
    async end(patienceMs) {
      const pid = child?.pid;
      if (pid === undefined) return;
      let tree = treeOf(pid, token);
      if (!(await within(patienceMs, gone))) {
        tree = [...tree, ...treeOf(pid, token)];
        signalGroup(pid, 'SIGTERM');
        if (!(await within(TERM_MS, gone))) {
          signalGroup(pid, 'SIGKILL');
          await within(TERM_MS, gone);
        }
      }
      await killTree(pid, tree);
    },
  };
}

const setOf = (env: SpawnOptions['env']): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(env).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));

/** A process by number and start time: the number alone may belong to another one tomorrow. */
type Seen = { readonly pid: number; readonly started: string };

/** What descends from `root` or carries the token, without the root, us, and those we descend from. Linux only. */
function treeOf(root: number, token: string): Seen[] {
  const all = new Map<number, { parent: number; started: string }>();
  for (const name of list()) {
    const facts = factsOf(Number(name));
    if (facts !== null) all.set(Number(name), facts);
  }
  const above = (pid: number): number[] => {
    const line: number[] = [];
    for (let at = all.get(pid)?.parent; at !== undefined && at > 1 && !line.includes(at); at = all.get(at)?.parent)
      line.push(at);
    return line;
  };
  const ours = new Set([process.pid, ...above(process.pid), root]);
  const marked = new Set(token === '' ? [] : markedProcesses(token));
  return [...all]
    .filter(([pid]) => !ours.has(pid) && (above(pid).includes(root) || marked.has(pid)))
    .map(([pid, { started }]) => ({ pid, started }));
}

const isSame = ({ pid, started }: Seen): boolean => factsOf(pid)?.started === started;

function list(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // no /proc here: the group signal is all there is
  }
}

/** Fields 3, 4 and 22 of /proc/pid/stat, counted after the last parenthesis of the name. Dead ones do not count. */
function factsOf(pid: number): { parent: number; started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return { parent: Number(fields[1]), started: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone in the meantime, which is what was wanted
  }
}
