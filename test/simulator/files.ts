// Files of a simulated work tree: the state folder lies on a disk, everything else in memory. Who writes or removes some need not know
// which is where.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { textsOf } from '../../src/engine/definitions.ts';
import { readContext, type RunContext } from '../../src/loop/run-context.ts';
import { repeatable } from '../../src/loop/performers/repeatable.ts';
import { tidies } from '../../src/loop/performers/work-tree.ts';
import { writes } from '../../src/loop/performers/write.ts';
import type { ProcessRun } from './process-run.ts';
import type { Mission } from './mission.ts';
import type { A } from './performers.ts';
import { withFiles } from './repository.ts';

export type Files = { readonly [path: string]: string | null };
const STATE = '.harness';
export const isOnDisk = (path: string): boolean => path === STATE || path.startsWith(`${STATE}/`);
const inMemory = (files: Files): Files => Object.fromEntries(Object.entries(files).filter(([path]) => !isOnDisk(path)));

/** Written by another program than the harness. null: the file is removed. */
export function put({ repo, root }: Pick<Mission, 'repo' | 'root'>, files: Files): void {
  for (const [path, text] of Object.entries(files).filter(([one]) => isOnDisk(one))) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (text === null) rmSync(file, { force: true });
    else writeFileSync(file, text);
  }
  const others = inMemory(files);
  if (Object.keys(others).length > 0) repo.work = withFiles(repo.work, others);
}

export const simulatedWrites = (lane: RunContext, { mission: { repo } }: ProcessRun): A<'write'> => {
  const real = writes(lane);
  return {
    async perform(ask, context) {
      const texts = ask.edit === null ? null : await textsOf(ask.edit, readContext(lane));
      const files = inMemory(texts?.ok === true ? texts.value : {}); // the product's own performer reports what is wrong
      const paths = Object.keys(files);
      if (paths.length === 0) return real.perform(ask, context);
      await lane.io.effect('write', async () => void (repo.work = withFiles(repo.work, files)));
      return { written: paths };
    },
    probe: repeatable,
  };
};

export const simulatedTidies = (lane: RunContext, { mission: { repo } }: ProcessRun): A<'tidy'> => {
  const real = tidies(lane);
  return {
    async perform({ paths, keep, ...ask }, context) {
      const names = paths.map((path) => path.replace(/\/+$/, ''));
      const gone = [...repo.work.keys()].filter(
        (file) => !keep.includes(file) && names.some((path) => file === path || file.startsWith(`${path}/`)),
      );
      if (gone.length > 0)
        await lane.io.effect('tidy', async () => {
          repo.work = withFiles(repo.work, Object.fromEntries(gone.map((path) => [path, null])));
        });
      const done = await real.perform({ ...ask, paths: names.filter(isOnDisk), keep }, context);
      return 'removed' in done ? { removed: done.removed + gone.length } : done;
    },
    probe: repeatable,
  };
};
