// Starts the wrapper's process, and tells how it ended whenever somebody asks. Knows nothing of sessions and turns.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { processGroup, type ProcessGroup } from '../../host/process-tree.ts';

/** The wrapper's process, loaded or still loading. Until it is told its session it has started nothing. */
export type Wrapper = {
  readonly child: ChildProcessWithoutNullStreams;
  readonly group: ProcessGroup;
  /** Resolves when it is gone and all it said was read; `code` and `signal` are null where it never started. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** The last of what it wrote to stderr. */
  stderr(): string;
  /** It is not needed after all. */
  dismiss(): void;
};

export type WrapperOptions = {
  /** The wrapper program: src/agents/host/main.ts, or its bundle. */
  readonly entry: string;
  /** Marks the wrapper and everything under it. */
  readonly token: string;
  /** Where it runs; made if it is not there. */
  readonly folder: string;
  /** The agent's whole environment, of which the wrapper gets very little. */
  readonly env: { readonly [name: string]: string };
  /** What it is to load already. */
  readonly provider: string;
};

/** What the wrapper itself may know of the agent's environment: nothing that is a secret. */
const WRAPPER_NEEDS = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
const STDERR_CHARS = 4_000;

/**
 * Loading its code takes longer than anything else about a wrapper: started early, it loads while the session is still
 * being prepared. Never throws.
 */
export function startWrapper({ entry, token, folder, env, provider }: WrapperOptions): Wrapper {
  mkdirSync(folder, { recursive: true });
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => WRAPPER_NEEDS.includes(name)));
  const child = spawn(process.execPath, [entry, provider], {
    cwd: folder,
    env: { ...own, HARNESS_TOKEN: token },
    detached: true, // a Ctrl-C at the terminal is for the driver, which then decides
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const group = processGroup(child);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS);
  });
  child.stdin.on('error', () => undefined); // a dead wrapper is noticed by its end
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('error', (error) => {
      stderr += error.message;
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, group, ended, stderr: () => stderr.trim(), dismiss: () => void child.stdin.end() };
}
