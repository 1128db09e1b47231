// The list of plans: derived from their files at each look, without reading those that are merged again.
import { expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import type { ListSources } from '../../engine/manifest.ts';
import { readIndex, type PlanIndex } from './plan-index.ts';
import { derivedIndex } from './plans.ts';

const config = configOf({
  playbook: { backlog: 'delivery', machine: 'delivery' },
  paths: { ...configOf().paths, backlog: '.harness/plans.json' },
});
const { planDir, completedDir } = config;
const idOf = (n: number): string => String(n).padStart(4, '0');
const plan = (n: number, tag = 'A-1'): string => `# Part ${n}\n\n- Tags: ${tag}\n`;

/** So many merged plans, and three after them that are not. */
function world(merged: number) {
  const files = new Map<string, string>();
  for (let n = 1; n <= merged + 3; n += 1)
    files.set(`${n <= merged ? completedDir : planDir}/${idOf(n)}-part.md`, plan(n));
  const read: string[] = [];
  const view: ListSources['view'] = {
    names: (folder) =>
      Promise.resolve(
        [...files.keys()].flatMap((path) =>
          path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/')
            ? [path.slice(folder.length + 1)]
            : [],
        ),
      ),
    read(path) {
      read.push(path);
      return Promise.resolve(files.get(path) ?? null);
    },
  };
  return {
    files,
    /** The list, which is kept as a run does, and how many files were read for it. */
    async look(isWhole = false): Promise<{ readonly plans: PlanIndex['plans']; readonly reads: number }> {
      read.length = 0;
      const text = (await derivedIndex({ view, config }, isWhole)) ?? '';
      files.set(config.paths.backlog, text);
      const index = readIndex(text, '');
      if (!index.ok) throw new Error(JSON.stringify(index.failure));
      return { plans: index.value.plans, reads: read.length };
    },
  };
}

test('a look reads as many files after a thousand merged plans as after one', async () => {
  const counts = [];
  for (const merged of [1, 1_000]) {
    const { look } = world(merged);
    const first = await look();
    const second = await look();
    expect(second.plans).toEqual(first.plans);
    counts.push(second.reads);
  }
  expect(counts).toEqual([4, 4]);
});

test('what others merged, moved back or renamed is read, and what they edited in a merged plan from the next look at all', async () => {
  const { files, look } = world(2);
  await look();
  const move = (from: string, to: string): void => {
    files.set(to, files.get(from) ?? '');
    files.delete(from);
  };
  move(`${planDir}/0003-part.md`, `${completedDir}/0003-part.md`);
  move(`${completedDir}/0001-part.md`, `${planDir}/0001-part.md`);
  move(`${completedDir}/0002-part.md`, `${completedDir}/0002-other.md`);
  const shown = ({ plans }: PlanIndex): readonly unknown[] => plans.map(({ name, merged }) => `${name} ${merged}`);
  expect(shown(await look())).toEqual([
    '0001-part false',
    '0002-other true',
    '0003-part true',
    '0004-part false',
    '0005-part false',
  ]);
  files.set(`${completedDir}/0003-part.md`, plan(3, 'B-2'));
  const tags = ({ plans }: PlanIndex): unknown => plans.find(({ id }) => id === '0003')?.tags;
  expect(tags(await look())).toEqual(['A-1']);
  expect(tags(await look(true))).toEqual(['B-2']);
  expect(tags(await look())).toEqual(['B-2']);
});
