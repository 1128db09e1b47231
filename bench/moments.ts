// What a moment of the work tree costs: keeping it, and going back to it, over what git itself needs to look at the tree.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGit } from '../src/repos/git.ts';
import { takeCheckpoint } from '../src/repos/checkpoint.ts';
import { restoreTree } from '../src/repos/restore.ts';
import { makeProject } from './project.ts';
import { median } from './spans.ts';

export type Moments = {
  readonly files: number;
  readonly gitStatusMs: number;
  /** 30 files changed. */
  readonly checkpointMs: number;
  /** 300 files rewritten and 300 removed. */
  readonly restoreMs: number;
};

const CHANGED = 30;
const WRECKED = 300;

export async function measureMoments(files: number, rounds: number): Promise<Moments> {
  const project = makeProject(10, files);
  const { root, env } = project;
  const lib = join(root, 'lib', 'f0');
  const names = readdirSync(lib).map((name) => join(lib, name));
  const write = (paths: readonly string[], text: string): void => paths.forEach((path) => writeFileSync(path, text));
  try {
    const taken: { status: number; checkpoint: number; restore: number }[] = [];
    for (let n = 1; n <= rounds; n++) {
      // A new one each time: nothing is remembered from the round before.
      const git = createGit({ root, env, token: `bench-${n}` });
      write(names.slice(0, CHANGED), `round ${n}\n`);
      const status = await timed(() => execFileSync('git', ['status', '--porcelain'], { cwd: root, env }));
      let at: Awaited<ReturnType<typeof takeCheckpoint>> | null = null;
      const checkpoint = await timed(async () => {
        at = await takeCheckpoint(git, { ref: `refs/harness/checkpoints/bench-${n}`, message: 'bench' });
      });
      write(names.slice(0, WRECKED), `wrecked ${n}\n`);
      names.slice(WRECKED, 2 * WRECKED).forEach((path) => rmSync(path));
      const kept = at as Awaited<ReturnType<typeof takeCheckpoint>> | null;
      if (kept?.ok !== true) throw new Error(JSON.stringify(kept));
      const restore = await timed(async () => {
        const back = await restoreTree(git, kept.value);
        if (!back.ok) throw new Error(JSON.stringify(back.failure));
      });
      taken.push({ status, checkpoint, restore });
    }
    const of = (key: 'status' | 'checkpoint' | 'restore'): number => median(taken.map((one) => one[key]));
    return { files, gitStatusMs: of('status'), checkpointMs: of('checkpoint'), restoreMs: of('restore') };
  } finally {
    project.remove();
  }
}

async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
