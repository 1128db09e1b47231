import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { blobText, changedPaths, commitFacts, diffStat, diffText, pathsChangedBy, showFile } from './history.ts';
import type { Git } from './git.ts';
import { readStatus } from './status.ts';
import { openRepositoryView, RepositoryUnreadable } from './repository-view.ts';

test('commits come newest first with their trailers', async () => {
  const s = stage();
  s.sh(
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'one\n\nbody: not a trailer\n\nHarness-Item: 7\nHarness-Item: 8\nOther-Key: v: w',
  );
  const facts = valueOf(await commitFacts(s.git, { limit: 5 }));
  expect(facts.map(({ subject }) => subject)).toEqual(['one', 'start']);
  expect(facts[0]?.trailers).toEqual({ 'Harness-Item': '8', 'Other-Key': 'v: w' });
  expect(valueOf(await commitFacts(s.git, { since: 'HEAD~1', limit: 5 }))).toHaveLength(1);
  expect(valueOf(await commitFacts(s.git, { limit: 1 }))).toHaveLength(1);
});

test('what changed since a revision includes untracked files, deletions and later commits, not ignored files', async () => {
  const s = stage({ 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'ignored\n' });
  s.write('c.txt', 'c\n');
  s.commit('later');
  s.remove('a.txt');
  s.write('sp ace/ü\n.txt', 'x');
  s.write('ignored', 'x');
  s.write('.harness/state', 'x');
  expect(valueOf(await changedPaths(s.git, 'HEAD~1'))).toEqual(['a.txt', 'c.txt', 'sp ace/ü\n.txt']);
});

test('files, stats and patches of a revision', async () => {
  const s = stage({ 'a.txt': 'one\ntwo\n', 'd/x': 'x' });
  s.write('a.txt', 'one\nthree\n');
  s.write('bin', Buffer.from([0, 1, 2]));
  s.commit('later');
  const { git } = s;
  expect(valueOf(await showFile(git, 'HEAD~1', 'a.txt'))).toBe('one\ntwo\n');
  expect(valueOf(await showFile(git, 'HEAD', 'nothing'))).toBeNull();
  expect(valueOf(await showFile(git, 'HEAD', 'd'))).toBeNull();
  expect(valueOf(await showFile(git, 'nowhere', 'a.txt'))).toBeNull();
  expect(valueOf(await blobText(git, s.sh('rev-parse', 'HEAD:d/x')))).toBe('x');
  expect(valueOf(await diffStat(git, 'HEAD~1', 'HEAD'))).toEqual([
    { path: 'a.txt', added: 1, removed: 1 },
    { path: 'bin', added: null, removed: null },
  ]);
  expect(valueOf(await diffText(git, 'HEAD~1', 'HEAD', ['a.txt']))).toContain('-two\n+three');
});

test('status names every dirty path once and leaves out what is excluded', async () => {
  const s = stage({ 'a b.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'hidden.txt': 'h\n', 'kept/x': 'x' });
  s.write('a b.txt', 'staged\n');
  s.sh('add', 'a b.txt');
  s.write('a b.txt', 'more\n');
  s.sh('mv', 'b.txt', 'moved.txt');
  s.remove('c.txt');
  s.write('new/deep.txt', 'x');
  s.write('kept/x', 'y');
  s.write('kept.txt', 'y');
  s.sh('update-index', '--assume-unchanged', 'hidden.txt');
  s.write('hidden.txt', 'h2\n');
  const status = valueOf(await readStatus(s.git, { excluding: ['kept/', 'kept.txt'] }));
  expect(status).toEqual({
    commit: s.sh('rev-parse', 'HEAD'),
    branch: 'main',
    operation: null,
    dirty: ['a b.txt', 'b.txt', 'c.txt', 'hidden.txt', 'moved.txt', 'new/deep.txt'],
  });
});

test('unmerged paths are dirty, and a detached HEAD has no branch', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  s.sh('checkout', '-q', '-b', 'other');
  s.write('a.txt', 'b\n');
  s.commit('b');
  s.sh('checkout', '-q', '--detach', 'main');
  s.write('a.txt', 'c\n');
  s.commit('c');
  expect(() => s.sh('merge', 'other')).toThrow(/./);
  expect(valueOf(await readStatus(s.git))).toMatchObject({ branch: null, dirty: ['a.txt'] });
});

test('the view reads inside the work tree and nowhere else', async () => {
  const s = stage({ 'a.txt': 'a\n', 'd/run.sh': '#!/bin/sh\n' });
  s.write('d/run.sh', '#!/bin/sh\n', 0o755);
  writeFileSync(join(s.home, 'secret'), 'secret');
  symlinkSync(join(s.home, 'secret'), join(s.root, 'leak'));
  symlinkSync('a.txt', join(s.root, 'alias'));
  const view = openRepositoryView(s.git, s.root, { now: () => 0, iso: () => '1970-01-01T00:00:00.000Z' });
  expect(
    await Promise.all(['a.txt', 'alias', 'leak', '../home/secret', 'd', 'nothing', 'a.txt/x'].map((p) => view.read(p))),
  ).toEqual(['a\n', 'a\n', ...Array.from({ length: 5 }, () => null)]);
  expect(await view.stat('d/run.sh')).toEqual({ kind: 'file', executable: true });
  expect(await view.stat('d')).toEqual({ kind: 'folder', executable: false });
  expect(await view.stat('leak')).toBeNull();
  expect(await view.readAt('HEAD', 'a.txt')).toBe('a\n');
  expect(await view.changedSince('HEAD')).toEqual(['alias', 'd/run.sh', 'leak']);
  expect(await view.head()).toEqual({
    commit: s.sh('rev-parse', 'HEAD'),
    branch: 'main',
    operation: null,
    dirty: ['alias', 'd/run.sh', 'leak'],
  });
  expect((await view.recentCommits(9)).map(({ subject }) => subject)).toEqual(['start']);
  expect(view.now).toBe('1970-01-01T00:00:00.000Z');
  await expect(view.changedSince('nowhere')).rejects.toThrow(RepositoryUnreadable);
});

test('what each commit changed is read for all of them at once, odd names and the first commit included', async () => {
  const s = stage({ a: '1', b: '1' });
  const first = s.sh('rev-parse', 'HEAD');
  s.write('a', '2');
  s.write(first, 'a file with the name of a commit');
  s.write(':c\td', '1');
  const second = s.commit('second');
  const empty = s.commit('empty');
  const changed = valueOf(await pathsChangedBy(s.git, [empty, second, first]));
  expect(changed.map((paths) => [...paths].sort())).toEqual([[], [':c\td', first, 'a'].sort(), ['a', 'b']]);
  expect(valueOf(await pathsChangedBy(s.git, []))).toEqual([]);
});

test('a file is read as of what a name stands for now, without asking twice for the same', async () => {
  const s = stage({ a: 'one' });
  let asked = 0;
  const git: Git = { ...s.git, ask: (...args) => ((asked += 1), s.git.ask(...args)) };
  const told = async (rev: string) => valueOf(await showFile(git, rev, 'a'));
  s.sh('update-ref', 'refs/harness/checkpoints/one', 'HEAD');
  for (const rev of ['HEAD', 'refs/harness/checkpoints/one', 'refs/heads/main', s.sh('rev-parse', 'HEAD')])
    expect(await told(rev)).toBe('one');
  expect(asked).toBe(1);
  s.write('a', 'two');
  s.commit('second');
  expect([await told('HEAD'), await told('HEAD~1'), await told('refs/harness/checkpoints/one')]).toEqual([
    'two',
    'one',
    'one',
  ]);
  s.sh('update-ref', 'refs/harness/checkpoints/one', 'HEAD');
  expect(await told('refs/harness/checkpoints/one')).toBe('two');
  expect(valueOf(await showFile(git, 'HEAD', 'b'))).toBeNull();
});
