// Starts a program of this package that outlives the process that starts it: in a process group of its own, with its output in a file.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { packageRoot } from './package-root.ts';
import { wholeEnvironment } from './environment.ts';

export type Detached = {
  /** Null: it could not be started. */
  readonly pid: number | null;
  /** Its exit code; null where a signal ended it or it was not started. */
  readonly ended: Promise<number | null>;
};

/** `args`: of `harness`. `token`: the value of HARNESS_TOKEN. `log`: a file that is replaced. */
export function startProgram(
  args: readonly string[],
  { cwd, token, log }: { readonly cwd: string; readonly token: string; readonly log: string },
): Detached {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  const output = openSync(log, 'w', 0o600);
  try {
    const child = spawn(process.execPath, [join(packageRoot(), 'bin', 'harness.cjs'), ...args], {
      cwd,
      env: { ...wholeEnvironment(), HARNESS_TOKEN: token },
      detached: true,
      stdio: ['ignore', output, output],
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('exit', (code) => resolve(code));
    });
    child.unref();
    return { pid: child.pid ?? null, ended };
  } finally {
    closeSync(output);
  }
}
