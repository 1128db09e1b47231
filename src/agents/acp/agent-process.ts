// The agent program as a child process: started in the lane with a marker, its stderr kept at the end, ended as a whole tree.
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { signalGroup } from '../../host/process.ts';
import { enclosed } from '../enclosed.ts';
import type { SessionSpec } from '../port.ts';
import { endMarked } from '../tree.ts';

/** How the program went: it could not be started (`missing` says why), or it ended with a code or by a signal. */
export type Gone = {
  readonly missing: string | null;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
};

export type AgentProcess = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The last of what it wrote to stderr, at most 4,000 characters. */
  readonly stderrTail: () => string;
  /** Resolves when the program is gone and its last output was read. Never rejects. */
  readonly gone: Promise<Gone>;
  /** Ends the program and everything that carries its marker: TERM, then KILL. Safe to call twice. */
  readonly end: () => Promise<void>;
};

const STDERR_CHARS = 4_000;
const GRACE_MS = 1_500;
/** A crashed agent's own child can hold the pipe open: its last output is not waited for longer than this. */
const LAST_OUTPUT_MS = 300;

export function startAgent(
  command: readonly string[],
  place: Pick<SessionSpec, 'cwd' | 'env' | 'token' | 'box'>,
): AgentProcess {
  const { program, args, env } = enclosed(place.box, command, place.env);
  const child = spawn(program, args, {
    cwd: place.cwd,
    env: { ...env, HARNESS_TOKEN: place.token },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS);
  });
  child.stdin.on('error', () => undefined); // the program is gone: `gone` says so
  const gone = new Promise<Gone>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve({ missing: whyMissing(error, place.cwd), code: null, signal: null });
    });
    const settle = (code: number | null, signal: NodeJS.Signals | null): void =>
      resolve({ missing: place.box === undefined ? null : whyNotInside(stderr), code, signal });
    child.once('close', settle);
    child.once('exit', (code, signal) => setTimeout(() => settle(code, signal), LAST_OUTPUT_MS).unref());
  });
  let ending: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    child.stdin.end();
    signalGroup(child.pid, 'SIGTERM');
    const graceful = await Promise.race([gone, pause(GRACE_MS, null)]);
    if (graceful === null) signalGroup(child.pid, 'SIGKILL');
    await endMarked(place.token, graceful === null ? 0 : GRACE_MS);
    await gone;
  };
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderrTail: () => stderr.trim(),
    gone,
    end: () => (ending ??= end()),
  };
}

/** Bubblewrap's own words where it cannot start the program. */
function whyNotInside(stderr: string): string | null {
  const why = /^bwrap: execvp .*: (.*)$/m.exec(stderr)?.[1];
  if (why === undefined) return null;
  return why === 'Permission denied' ? 'not-executable' : 'not-found';
}

/** Node says ENOENT for a missing folder too: that is not the program's fault. */
function whyMissing({ code }: NodeJS.ErrnoException, cwd: string): string {
  if (statSync(cwd, { throwIfNoEntry: false }) === undefined) return 'no-such-folder';
  return code === 'ENOENT' ? 'not-found' : code === 'EACCES' ? 'not-executable' : (code ?? 'spawn-failed');
}
