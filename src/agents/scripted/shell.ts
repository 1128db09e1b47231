// Commands of a scripted agent: children of its own in the work folder, each in its own group, ended with the turn.
import { spawn } from 'node:child_process';
import { processGroup } from '../../host/process-tree.ts';

export type ShellResult = {
  readonly code: number | null;
  readonly output: string;
  readonly ended: 'time' | 'cancelled' | null;
};

const OUTPUT_CHARS = 1_000_000;

/** Runs a shell line with the environment of this process. Never rejects. */
export function runLine(line: string, cwd: string, wallMs: number, signal: AbortSignal): Promise<ShellResult> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', line], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const group = processGroup(child);
    let output = '';
    let ended: ShellResult['ended'] = null;
    const take = (chunk: string): void => {
      output = (output + chunk).slice(-OUTPUT_CHARS);
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    const stop = (why: ShellResult['ended']): void => {
      ended ??= why;
      group.signal('SIGKILL');
    };
    const wall = setTimeout(() => stop('time'), wallMs);
    const onAbort = (): void => stop('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const finish = (code: number | null, more: string): void => {
      clearTimeout(wall);
      signal.removeEventListener('abort', onAbort);
      resolve({ code, output: output + more, ended });
    };
    child.once('error', (error) => finish(127, error.message));
    child.once('close', (code) => finish(code, ''));
  });
}

/** Starts a shell line and leaves it running, as careless agents do. */
export function runInBackground(line: string, cwd: string): void {
  spawn('/bin/sh', ['-c', line], { cwd, detached: true, stdio: 'ignore' })
    .once('error', () => undefined)
    .unref();
}
