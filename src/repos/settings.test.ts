import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import type { Git } from './git.ts';
import { readSettings } from './settings.ts';

/** A wrapper that counts how often git is started. */
function counted(git: Git): { readonly git: Git; readonly starts: () => number } {
  let starts = 0;
  const run: Git['run'] = (...ask) => {
    starts++;
    return git.run(...ask);
  };
  return { git: { ...git, run }, starts: () => starts };
}

const nameIn = async (git: Git) => {
  const { own, repository } = valueOf(await readSettings(git));
  return repository.get('user.name') ?? own.get('user.name');
};

test('the configuration is asked for once, and again after any of its files changed', async () => {
  const s = stage();
  const { git, starts } = counted(s.git);
  for (let n = 0; n < 3; n++) expect(await nameIn(git)).toBe('Ada');
  expect(starts()).toBe(1);
  // Written behind git's back, with the size and the time it had: what counts is what it says.
  appendFileSync(join(s.git.gitDir, 'config'), '[user]\n\tname = Bob\n');
  expect(await nameIn(git)).toBe('Bob');
  s.sh('config', '--unset', 'user.name');
  s.sh('config', '--global', 'user.name', 'Eve');
  expect(await nameIn(git)).toBe('Eve');
  writeFileSync(join(s.home, '.gitconfig'), '[user]\n\tname = Dan\n');
  expect(await nameIn(git)).toBe('Dan');
  s.sh('config', 'extensions.worktreeConfig', 'true');
  s.sh('config', '--worktree', 'user.name', 'Fay');
  expect(await nameIn(git)).toBe('Fay');
  const before = starts();
  expect(await nameIn(git)).toBe('Fay');
  expect(starts()).toBe(before);
});

test('what is included may be anywhere: then nothing is kept', async () => {
  const included = async (s: Stage, key: string) => {
    const file = join(s.home, 'more');
    s.sh('config', key, file);
    expect(await nameIn(s.git)).toBe('Ada');
    writeFileSync(file, '[user]\n\tname = Bob\n');
    expect(await nameIn(s.git)).toBe('Bob');
  };
  await included(stage(), 'include.path');
  const s = stage();
  await included(s, `includeIf.gitdir:${s.git.gitDir}.path`);
});
