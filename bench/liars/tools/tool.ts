// What the bench needs of a tool: its files in the repository, one go at the item, what came of it.
import { spawn } from 'node:child_process';
import type { Card, VerdictName } from '../card.ts';
import type { Records } from '../picture.ts';
import type { World } from '../world.ts';

export type Outcome = {
  readonly verdict: VerdictName;
  /** Why not, as the tool names it; kebab-case codes or its own words. */
  readonly reasons: readonly string[];
  /** What it warned of beside the verdict. */
  readonly warnings: readonly string[];
  /** Everything it printed. */
  readonly said: string;
};
export type Tool = {
  readonly name: string;
  readonly records: Records;
  /** false: it cannot be had here. */
  ready(): Promise<boolean>;
  /** Files in the repository that are the tool's, committed at the start. */
  files(card: Card): { readonly [path: string]: string };
  run(card: Card, world: World): Promise<Outcome>;
};

export type Ran = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isLate: boolean;
};

/** Runs to the end, or is killed with its group after so long. Keeps the first two million characters of each stream. */
export function call(
  argv: readonly string[],
  how: {
    readonly cwd: string;
    readonly env: { readonly [name: string]: string };
    readonly wallMs: number;
    readonly stdin?: string;
  },
): Promise<Ran> {
  return new Promise((done, fail) => {
    const [program = '', ...args] = argv;
    const child = spawn(program, args, { cwd: how.cwd, env: how.env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, how.wallMs);
    const keep = (name: 'stdout' | 'stderr') => (text: string) => {
      if (out[name].length < 2_000_000) out[name] += text;
    };
    child.stdout.setEncoding('utf8').on('data', keep('stdout'));
    child.stderr.setEncoding('utf8').on('data', keep('stderr'));
    child.stdin.on('error', () => undefined);
    child.stdin.end(how.stdin ?? '');
    child.on('error', fail);
    // 'close' may never come: an agent's own child can hold the pipe.
    child.on('exit', (code) => {
      clearTimeout(timer);
      setTimeout(() => done({ code, ...out, isLate }), 50);
    });
  });
}
