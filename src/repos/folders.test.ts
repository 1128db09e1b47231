import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { findWorkTree } from './folders.ts';
import { openRepository } from './repository.ts';

test('finds what git finds: the top, a folder below it, a link to it, a linked worktree', async () => {
  const repo = stage({ 'src/deep/a.txt': 'a' });
  const { root, home, env } = repo;
  repo.sh('worktree', 'add', '-q', join(home, 'linked'));
  symlinkSync(join(root, 'src'), join(home, 'link'));
  for (const dir of [root, join(root, 'src/deep'), join(home, 'link'), join(home, 'linked')]) {
    const git = valueOf(await openRepository(dir, { env, token: 'test' }));
    const found = findWorkTree(dir);
    expect([dir, found?.root, found?.commonDir]).toEqual([dir, git.root, git.commonDir]);
  }
});
test('leaves to git what is no whole repository', () => {
  const { root, home } = stage();
  mkdirSync(join(root, 'broken/.git'), { recursive: true });
  mkdirSync(join(root, 'moved'));
  writeFileSync(join(root, 'moved/.git'), 'gitdir: /nowhere\n');
  const none = [home, join(root, 'broken'), join(root, 'moved'), join(root, 'not-there')];
  expect(none.map(findWorkTree)).toEqual([null, null, null, null]);
});
