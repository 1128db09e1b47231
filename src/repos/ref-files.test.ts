import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import { readRegular } from '../host/files.ts';
import type { Git } from './git.ts';
import { listRefs } from './ref-files.ts';

const FOLDERS = ['refs/heads', 'refs/tags'];
/** Whether they are those that git lists, and how often git had to be asked. */
async function found(s: Stage) {
  let asked = 0;
  const git: Git = { ...s.git, run: (...args) => ((asked += 1), s.git.run(...args)) };
  const text = valueOf(await listRefs(git, FOLDERS));
  return { isSame: text.trim() === s.sh('for-each-ref', '--format=%(objectname) %(refname)', ...FOLDERS), asked };
}

test('branches and tags, packed or not, the loose one where it is both', async () => {
  const s = stage();
  for (const name of ['feature/ä', 'feature.x', 'b']) s.sh('branch', name);
  s.sh('tag', '-a', 'v1', '-m', 'v1');
  expect(await found(s)).toEqual({ isSame: true, asked: 0 });
  s.sh('pack-refs', '--all');
  s.commit('second');
  s.sh('branch', '-D', 'b');
  s.sh('tag', 'v2');
  expect(await found(s)).toEqual({ isSame: true, asked: 0 });
});

test('git is asked where a ref names another one or is broken', async () => {
  const s = stage();
  s.sh('symbolic-ref', 'refs/heads/other', 'refs/heads/main');
  expect(await found(s)).toEqual({ isSame: true, asked: 1 });
  s.sh('symbolic-ref', '-d', 'refs/heads/other');
  writeFileSync(join(s.root, '.git/refs/heads/odd'), '');
  expect(await found(s)).toEqual({ isSame: true, asked: 1 });
});

test.each([1, 2, 3, 4, 5])('refs that git packs after reading %i of the files are all found', async (count) => {
  const s = stage();
  for (const name of ['a', 'b']) s.sh('branch', name);
  s.sh('tag', 'v1');
  let reads = 0;
  const packing: typeof readRegular = (path, most) => {
    const file = readRegular(path, most);
    reads += 1;
    if (reads === count) s.sh('pack-refs', '--all');
    return file;
  };
  const text = valueOf(await listRefs(s.git, FOLDERS, packing));
  expect(text.trim()).toBe(s.sh('for-each-ref', '--format=%(objectname) %(refname)', ...FOLDERS));
  expect(text.trim().split('\n')).toHaveLength(4);
});
