// The wrapper process of a session, from the driver's side: starts it and knows how it exited. Sessions and turns are client.ts.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readEnvironment, type Variables } from '../../host/environment.ts';
import { processGroup, type ProcessGroup } from '../../host/process-tree.ts';
import { onLines } from '../line-reader.ts';
import { readReport, type WrapperReport } from './protocol.ts';

/** A wrapper process, loaded or still loading. Until it gets its session it has started nothing. */
export type WrapperProcess = {
  readonly child: ChildProcessWithoutNullStreams;
  readonly group: ProcessGroup;
  /** Resolves when it has exited and all its output was read; `code` and `signal` are null where it never started. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** The end of what it wrote to stderr. */
  stderr(): string;
  /** Who gets its reports from now on: one session at a time. */
  listen(receive: (report: WrapperReport) => void): void;
  /** Ends a wrapper that has no session. */
  dismiss(): void;
  /** Its session ended as it should: another one may have it. Left out: it serves one session. */
  readonly release?: () => void;
};

export type WrapperProcessOptions = {
  /** The wrapper program: src/agents/host/main.ts, or its bundle. */
  readonly entry: string;
  /** Marks the wrapper and everything that it starts. */
  readonly token: string;
  /** Where it runs; created if missing. */
  readonly folder: string;
  /** The agent's whole environment, of which the wrapper gets only a few variables. */
  readonly env: Variables;
  /** The adapter to load while it waits. */
  readonly provider: string;
};

/** The variables of the agent's environment that the wrapper itself gets: no secrets. */
const WRAPPER_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
const STDERR_CHARS = 4_000;

export const wrapperVariables = (env: Variables): Variables =>
  Object.fromEntries(Object.entries(env).filter(([name]) => WRAPPER_VARIABLES.includes(name)));

/** Loading its code takes most of a wrapper's time: one that is started early loads while the session is prepared. Never throws. */
export function startWrapper({ entry, token, folder, env, provider }: WrapperProcessOptions): WrapperProcess {
  mkdirSync(folder, { recursive: true });
  // The agent's HOME may be another one than the user's, where added agents are.
  const { agentsDir } = readEnvironment();
  const child = spawn(process.execPath, [entry, provider], {
    cwd: folder,
    env: {
      ...wrapperVariables(env),
      ...(agentsDir === null ? {} : { HARNESS_AGENTS_DIR: agentsDir }),
      HARNESS_TOKEN: token,
    },
    detached: true, // Ctrl-C at the terminal goes to the driver alone, which then decides
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const group = processGroup(child);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS);
  });
  child.stdin.on('error', () => undefined); // `ended` reports a wrapper that has exited
  let receive: (report: WrapperReport) => void = () => undefined;
  onLines(child.stdout, (line) => {
    const report = readReport(line);
    if (report !== null) receive(report);
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('error', (error) => {
      stderr += error.message;
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    child,
    group,
    ended,
    stderr: () => stderr.trim(),
    listen(next) {
      receive = next;
    },
    dismiss: () => void child.stdin.end(),
  };
}
