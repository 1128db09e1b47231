import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import type { Git } from './git.ts';
import { trackedThoughIgnored } from './listing.ts';
import { rawView } from './view.ts';

/** What the user tracks although it is ignored, and how many processes that took. */
async function look(s: Stage): Promise<{ readonly hidden: readonly string[]; readonly asked: number }> {
  const view = valueOf(await rawView(s.git));
  let asked = 0;
  const git: Git = { ...s.git, run: (args, options) => ((asked += 1), s.git.run(args, options)) };
  return { hidden: valueOf(await trackedThoughIgnored(git, view)), asked };
}

function shop(): Stage {
  const s = stage({ a: 'one', 'd/kept.log': 'one', 'd/.gitignore': '*.log\n' });
  s.sh('add', '-f', 'd/kept.log');
  s.sh('commit', '-qm', 'a log');
  return s;
}

test('git is asked once for the same index under the same rules', async () => {
  const s = shop();
  expect((await look(s)).hidden).toEqual(['d/kept.log']);
  expect(await look(s)).toEqual({ hidden: ['d/kept.log'], asked: 0 });
  s.write('a', 'two');
  expect(await look(s)).toEqual({ hidden: ['d/kept.log'], asked: 0 });
});

test.each([
  ['the rules of a folder', (s: Stage) => s.write('d/.gitignore', '*.txt\n'), []],
  ['rules at the top', (s: Stage) => s.write('.gitignore', 'a\n'), ['a', 'd/kept.log']],
  ['the rules of this clone', (s: Stage) => s.write('.git/info/exclude', 'a\n'), ['a', 'd/kept.log']],
  ['the index', (s: Stage) => s.sh('rm', '-q', '--cached', 'd/kept.log'), []],
])('%s: another question', async (_, change, hidden) => {
  const s = shop();
  await look(s);
  change(s);
  expect((await look(s)).hidden).toEqual(hidden);
});

test('two indexes that were written without a checksum are different', async () => {
  const s = shop();
  const index = join(s.root, '.git/index');
  const forgetChecksum = (): void => {
    const bytes = readFileSync(index);
    writeFileSync(index, bytes.fill(0, bytes.length - 20));
  };
  forgetChecksum();
  expect((await look(s)).hidden).toEqual(['d/kept.log']);
  s.sh('rm', '-q', '--cached', 'd/kept.log');
  forgetChecksum();
  expect((await look(s)).hidden).toEqual([]);
});
