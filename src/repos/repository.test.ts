import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf, stage, valueOf } from '../../test/stage/repository.ts';
import { openRepository } from './repository.ts';

test('a repository is found from any folder in it', async () => {
  const s = stage({ 'deep/er/x': 'x' });
  const open = (dir: string) => openRepository(dir, { token: 't', env: s.env });
  const here = { root: s.root, gitDir: join(s.root, '.git'), commonDir: join(s.root, '.git'), isLinked: false };
  expect(valueOf(await open(s.root))).toMatchObject(here);
  expect(valueOf(await open(join(s.root, 'deep/er')))).toMatchObject(here);
});

test('a linked worktree says so', async () => {
  const s = stage();
  s.sh('worktree', 'add', '-q', '../lane');
  const found = valueOf(await openRepository(join(s.root, '../lane'), { token: 't', env: s.env }));
  expect(found).toMatchObject({ isLinked: true, commonDir: join(s.root, '.git') });
  expect(found.gitDir).toBe(join(s.root, '.git/worktrees/lane'));
});

test('what is missing is named', async () => {
  const s = stage();
  const open = (dir: string) => openRepository(dir, { token: 't', env: s.env });
  expect(failureOf(await open(s.home)).reason).toBe('not-a-repository');
  expect(failureOf(await open(join(s.home, 'nowhere'))).reason).toBe('folder-missing');
  expect(failureOf(await open(join(s.home, '.gitconfig'))).reason).toBe('folder-missing');
  mkdirSync(join(s.home, 'bare'));
  s.sh('init', '-q', '--bare', join(s.home, 'bare'));
  expect(failureOf(await open(join(s.home, 'bare'))).reason).toBe('bare-repository');
  s.sh('init', '-q', join(s.home, 'empty'));
  expect(failureOf(await open(join(s.home, 'empty'))).reason).toBe('no-commits');
  s.sh('config', 'core.sparseCheckout', 'true');
  expect(failureOf(await open(s.root)).reason).toBe('sparse-checkout');
});
