// The user's work tree follows a landing, or the landing does not happen; also when the program dies in between.
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Death, dyingIo } from '../../test/stage/death.ts';
import { IS_EXHAUSTIVE } from '../../test/support/effort.ts';
import { picture, stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import type { Io } from '../host/io.ts';
import { completeFollow, moveBranch } from './follow.ts';
import { createGit } from './git.ts';
import { keptRefOf } from './run-branch.ts';
import { addWorkTree, workTreeBeside } from './work-trees.ts';

const FILES = {
  'kept.txt': 'kept\n',
  'changed.txt': 'old\n',
  'gone/deep.txt': 'gone\n',
  'folder/a.txt': 'a\n',
  'plain.sh': '#!/bin/sh\n',
};

/** A work tree beside the user's, and a commit made in it that adds, changes and deletes. */
async function landing(io?: Io, branch = 'main') {
  const s = stage(FILES);
  const path = workTreeBeside(s.root);
  const folders = valueOf(await addWorkTree(s.git, path));
  const from = s.sh('rev-parse', 'HEAD');
  const inside = (...args: string[]): string => s.sh('-C', path, ...args);
  inside('reset', '-q', '--hard');
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  put('changed.txt', 'new\n');
  put('added/deep.txt', 'added\n');
  for (const name of ['gone', 'folder']) rmSync(join(path, name), { recursive: true });
  put('folder', 'a file now\n');
  inside('add', '-A');
  inside('update-index', '--chmod=+x', 'plain.sh');
  const to = inside('commit-tree', '-p', from, '-m', 'landing', inside('write-tree'));
  const note = join(s.root, '.git', 'follow.json');
  const more = io === undefined ? {} : { io };
  const user = s.gitWith(more);
  if (branch !== 'main') for (const ref of [`refs/heads/${branch}`, keptRefOf(branch)]) s.sh('update-ref', ref, from);
  const lands = { branch, user, note };
  const git = createGit({ root: path, folders, token: 'test', env: s.env, ...more, lands });
  /** `meanwhile`: after the user's files were looked at, before they are written. */
  const move = (refs: readonly string[] = [], meanwhile = (): void => undefined) => {
    const run: typeof git.run = (args, options) => (args[0] === 'update-ref' && meanwhile(), git.run(args, options));
    return moveBranch({ ...git, run }, lands, { from, to, refs, why: 'landing', env: {} });
  };
  const left = () => [existsSync(join(s.root, '.git', 'index.lock')), existsSync(note)];
  return { ...s, from, to, note, move, left, inside, work: basename(folders.gitDir) };
}

const wanted = (s: Stage & { readonly to: string }): { [path: string]: string } => {
  const other = `${s.root}-wanted`;
  s.sh('worktree', 'add', '-q', '--detach', other, s.to);
  const found = picture(other);
  s.sh('worktree', 'remove', other);
  return found;
};

test('branch, files, index and the HEAD beside move together', async () => {
  const s = await landing();
  expect(valueOf(await s.move())).toEqual({ is: 'moved' });
  expect([s.sh('rev-parse', 'main'), s.inside('rev-parse', 'HEAD')]).toEqual([s.to, s.to]);
  expect(s.sh('status', '--porcelain')).toBe('');
  expect(picture(s.root)).toEqual(wanted(s));
  expect(s.left()).toEqual([false, false]);
});

test('a new file that the user has as the landing has it, untracked, is in no way: it is tracked afterwards', async () => {
  const s = await landing();
  s.write('added/deep.txt', 'added\n');
  expect(valueOf(await s.move())).toEqual({ is: 'moved' });
  expect([s.sh('status', '--porcelain'), s.read('added/deep.txt'), s.left()]).toEqual(['', 'added\n', [false, false]]);
});

test('what the user changes elsewhere stays as it is, staged or not', async () => {
  const s = await landing();
  s.write('kept.txt', 'edited\n');
  s.write('mine.txt', 'staged\n');
  s.sh('add', 'mine.txt');
  expect(valueOf(await s.move())).toEqual({ is: 'moved' });
  expect(s.sh('status', '--porcelain')).toBe('M kept.txt\nA  mine.txt');
  expect(s.read('kept.txt')).toBe('edited\n');
});

test.each<[string, (s: Stage) => void, string]>([
  ['is edited', (s) => s.write('changed.txt', 'mine\n'), 'changed.txt'],
  ['is edited and staged', (s) => (s.write('changed.txt', 'mine\n'), void s.sh('add', '-A')), 'changed.txt'],
  ['is deleted', (s) => s.remove('changed.txt'), 'changed.txt'],
  ['is to be deleted, and edited', (s) => s.write('gone/deep.txt', 'mine\n'), 'gone/deep.txt'],
  ['is new, and there', (s) => s.write('added/deep.txt', 'mine\n'), 'added/deep.txt'],
  ['is in a folder that is a file', (s) => s.write('added', 'mine\n'), 'added'],
  ['is a folder with more in it', (s) => s.write('folder/mine.txt', 'mine\n'), 'folder/mine.txt'],
  [
    'is behind a link that leads to the same file',
    (s) => {
      renameSync(join(s.root, 'gone'), `${s.root}-elsewhere`);
      symlinkSync(`${s.root}-elsewhere`, join(s.root, 'gone'));
    },
    'gone/deep.txt',
  ],
  [
    'is edited, and git was told to look away',
    (s) => (s.sh('update-index', '--assume-unchanged', 'changed.txt'), s.write('changed.txt', 'mine\n')),
    'changed.txt',
  ],
])('a file of the landing that %s is in the way: nothing moves', async (_, edit, path) => {
  const s = await landing();
  edit(s);
  const before = picture(s.root);
  expect(valueOf(await s.move())).toEqual({ is: 'in-the-way', paths: [path] });
  expect([s.sh('rev-parse', 'main'), s.inside('rev-parse', 'HEAD')]).toEqual([s.from, s.from]);
  expect(picture(s.root)).toEqual(before);
  expect(s.left()).toEqual([false, false]);
});

test('what the user saves in the middle of a landing stays, as their change of the new commit', async () => {
  const s = await landing();
  const save = (): void => ['changed.txt', 'gone/deep.txt'].forEach((path) => s.write(path, 'mine\n'));
  expect(valueOf(await s.move([], save))).toEqual({ is: 'moved' });
  expect([s.read('changed.txt'), s.read('gone/deep.txt'), s.read('added/deep.txt')]).toEqual([
    'mine\n',
    'mine\n',
    'added\n',
  ]);
  expect(s.sh('status', '--porcelain')).toBe('M changed.txt\n?? gone/');
});

test('what is saved in the middle of a landing as it was before follows it', async () => {
  const s = await landing();
  const save = (): void => (s.write('changed.txt', 'old\n'), s.write('gone/deep.txt', 'gone\n'));
  expect(valueOf(await s.move([], save))).toEqual({ is: 'moved' });
  expect([s.sh('status', '--porcelain'), s.read('changed.txt')]).toEqual(['', 'new\n']);
});

test('on another branch the user’s files stay, and the branch moves', async () => {
  const s = await landing();
  s.sh('switch', '-q', '-c', 'other');
  const before = picture(s.root);
  expect(valueOf(await s.move())).toEqual({ is: 'moved' });
  expect([s.sh('rev-parse', 'main'), s.sh('rev-parse', 'HEAD')]).toEqual([s.to, s.from]);
  expect(picture(s.root)).toEqual(before);
});

test('a branch that somebody committed on is left where it is', async () => {
  const s = await landing();
  s.write('kept.txt', 'committed\n');
  const found = s.commit('mine');
  expect(valueOf(await s.move())).toEqual({ is: 'elsewhere', found });
  expect([s.sh('rev-parse', 'main'), s.sh('status', '--porcelain'), ...s.left()]).toEqual([found, '', false, false]);
});

test('other refs move with the branch, or nothing does', async () => {
  const s = await landing();
  const ref = `create refs/harness/with ${s.to}`;
  expect(valueOf(await s.move([ref]))).toEqual({ is: 'moved' });
  expect(s.sh('rev-parse', 'refs/harness/with')).toBe(s.to);
  const t = await landing();
  t.sh('update-ref', 'refs/harness/with', t.from);
  expect((await t.move([`create refs/harness/with ${t.to}`])).ok).toBe(false);
  expect([t.sh('rev-parse', 'main'), t.inside('rev-parse', 'HEAD')]).toEqual([t.from, t.from]);
  expect([t.sh('status', '--porcelain'), ...t.left()]).toEqual(['', false, false]);
});

test('git that died between the branch and HEAD is completed', async () => {
  const s = await landing();
  const about = { schema: 1, branch: 'main', from: s.from, to: s.to, here: s.from, work: s.work, token: 'harness x' };
  s.sh('update-ref', 'refs/heads/main', s.to);
  writeFileSync(s.note, JSON.stringify(about));
  writeFileSync(join(s.root, '.git', 'index.lock'), about.token);
  expect(valueOf(await completeFollow(s.git, s.note))).toBeNull();
  expect(s.inside('rev-parse', 'HEAD')).toBe(s.to);
  expect([s.sh('status', '--porcelain'), ...s.left()]).toEqual(['', false, false]);
  expect(picture(s.root)).toEqual(wanted(s));
});

/** Dies at each durable call in turn until there is none left to die at. */
async function atEveryDeath(
  judge: (s: Awaited<ReturnType<typeof landing>>) => Promise<void>,
  { branch, least } = { branch: 'main', least: 6 },
): Promise<void> {
  for (const when of IS_EXHAUSTIVE ? (['before', 'after'] as const) : (['after'] as const))
    for (let n = 1; ; n += 1) {
      const s = await landing(dyingIo(n, when), branch);
      s.write('kept.txt', 'edited\n');
      const moved = await s.move().catch((error: unknown) => error);
      if (!(moved instanceof Death)) {
        expect(n).toBeGreaterThanOrEqual(least);
        break;
      }
      await judge(s);
    }
}

test('killed at any call: the next start completes the following, or nothing moved', { timeout: 120_000 }, async () => {
  await atEveryDeath(async (s) => {
    expect(valueOf(await completeFollow(s.git, s.note))).toBeNull();
    const tip = s.sh('rev-parse', 'main');
    expect([s.from, s.to]).toContain(tip);
    expect(s.inside('rev-parse', 'HEAD')).toBe(tip);
    expect(s.sh('status', '--porcelain')).toBe('M kept.txt');
    expect(s.read('kept.txt')).toBe('edited\n');
    expect(s.left()).toEqual([false, false]);
  });
});

test('on the branch of a run what is kept of it moves too, and killed at any call both are the same; the user’s files stay', async () => {
  const branch = 'harness/run/r-1';
  const same = (s: Awaited<ReturnType<typeof landing>>): string => {
    const tip = s.sh('rev-parse', `refs/heads/${branch}`);
    expect([s.sh('rev-parse', keptRefOf(branch)), s.inside('rev-parse', 'HEAD')]).toEqual([tip, tip]);
    expect([s.sh('rev-parse', 'main'), s.sh('rev-parse', 'HEAD')]).toEqual([s.from, s.from]);
    expect(s.left()).toEqual([false, false]);
    return tip;
  };
  const s = await landing(undefined, branch);
  expect(valueOf(await s.move())).toEqual({ is: 'moved' });
  expect([same(s), s.sh('status', '--porcelain')]).toEqual([s.to, '']);
  const died = async (one: typeof s): Promise<void> => {
    expect(valueOf(await completeFollow(one.git, one.note))).toBeNull();
    expect([one.from, one.to]).toContain(same(one));
    expect(one.sh('status', '--porcelain')).toBe('M kept.txt');
  };
  await atEveryDeath(died, { branch, least: 2 });
  // Git died between the branch and what is kept of it.
  const t = await landing(undefined, branch);
  t.sh('update-ref', `refs/heads/${branch}`, t.to);
  const about = { schema: 1, branch, from: t.from, to: t.to, here: t.from, work: t.work, token: 'harness x' };
  writeFileSync(t.note, JSON.stringify(about));
  expect(valueOf(await completeFollow(t.git, t.note))).toBeNull();
  expect(same(t)).toBe(t.to);
});

test('what the user does to the files before the next start is never overwritten', { timeout: 120_000 }, async () => {
  await atEveryDeath(async (s) => {
    appendFileSync(join(s.root, 'changed.txt'), 'mine\n');
    expect(valueOf(await completeFollow(s.git, s.note))).toBeNull();
    expect(s.read('changed.txt')).toMatch(/mine\n$/);
    expect(s.sh('status', '--porcelain')).toBe('M changed.txt\n M kept.txt');
    expect(s.left()).toEqual([false, false]);
  });
});
