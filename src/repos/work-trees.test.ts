// A work tree of the harness's own, where git was killed while it made one.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf, failureOf } from '../../test/stage/repository.ts';
import { createGit } from './git.ts';
import { readHead } from './head.ts';
import { addWorkTree, bringTo, removeWorkTree, workTreeBeside, workTreeOfLane } from './work-trees.ts';

const INITIALIZING = 'initializing\n';

/** The user's repository, with the work tree of a lane as git has made it. */
async function withWorkTree() {
  const s = stage({ 'a.txt': 'a\n' });
  const path = workTreeOfLane(s.root, 1);
  const { gitDir: entry } = valueOf(await addWorkTree(s.git, path));
  return { s, path, entry, tip: s.sh('rev-parse', 'HEAD') };
}
type Made = Awaited<ReturnType<typeof withWorkTree>>;

/** The calls of `git worktree add` from the last one back: each takes back what it did. */
const TAKEN_BACK: readonly (readonly [string, (made: Made) => void])[] = [
  ['the lock of the entry is removed', ({ entry }) => writeFileSync(join(entry, 'locked'), INITIALIZING)],
  ['HEAD is moved', ({ entry, tip }) => writeFileSync(join(entry, 'HEAD.lock'), `${tip}\n`)],
  [
    'HEAD is locked',
    ({ entry }) => {
      for (const name of ['HEAD.lock', 'logs']) rmSync(join(entry, name), { recursive: true });
      writeFileSync(join(entry, 'HEAD'), `${'0'.repeat(40)}\n`);
    },
  ],
  ['commondir is written', ({ entry }) => rmSync(join(entry, 'commondir'))],
  ['HEAD is written', ({ entry }) => rmSync(join(entry, 'HEAD'))],
  ['.git is written', ({ path }) => rmSync(join(path, '.git'))],
  ['gitdir is written', ({ entry }) => rmSync(join(entry, 'gitdir'))],
  ['the folder is made', ({ path }) => rmSync(path, { recursive: true })],
  ['the entry is locked', ({ entry }) => rmSync(join(entry, 'locked'))],
];

test.each(TAKEN_BACK.map(([name], at) => [name, at] as const))(
  'killed before %s, the next run makes the work tree, and nothing of the first is left',
  async (_, at) => {
    const made = await withWorkTree();
    const { s, path, entry, tip } = made;
    for (const [, back] of TAKEN_BACK.slice(0, at + 1)) back(made);
    const folders = valueOf(await addWorkTree(s.git, path));
    const lands = { branch: 'main', user: s.git, note: join(s.home, 'note') };
    const lane = createGit({ root: path, folders, token: 'test', env: s.env, lands });
    valueOf(await bringTo(lane, tip, { isKept: false, isNew: true }));
    expect(valueOf(await readHead(lane)).commit).toBe(tip);
    expect(s.sh('-C', path, 'status', '--porcelain', '--ignored')).toBe('');
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a\n');
    expect(readdirSync(join(s.root, '.git/worktrees'))).toEqual([basename(entry)]);
    expect(readdirSync(folders.gitDir).filter((name) => /lock/.test(name))).toEqual([]);
    expect(s.sh('worktree', 'list').split('\n')).toHaveLength(2);
  },
);

test('one that an older version left locked is unlocked, and keeps what is in it', async () => {
  const { s, path, entry } = await withWorkTree();
  s.sh('-C', path, 'reset', '-q', '--hard');
  writeFileSync(join(path, 'work.txt'), 'work\n');
  writeFileSync(join(entry, 'locked'), INITIALIZING);
  valueOf(await addWorkTree(s.git, path));
  expect(existsSync(join(entry, 'locked'))).toBe(false);
  expect(s.sh('-C', path, 'status', '--porcelain')).toBe('?? work.txt');
});

test('one that the user has locked stays locked', async () => {
  const { s, path, entry } = await withWorkTree();
  s.sh('worktree', 'lock', '--reason', 'on a disk', path);
  valueOf(await addWorkTree(s.git, path));
  expect(readFileSync(join(entry, 'locked'), 'utf8')).toBe('on a disk\n');
});

test('work trees of the user that git is making are left', async () => {
  const s = stage();
  for (const name of ['lane', 'my-harness-1']) {
    mkdirSync(join(s.root, '.git/worktrees', name), { recursive: true });
    writeFileSync(join(s.root, '.git/worktrees', name, 'locked'), INITIALIZING);
  }
  valueOf(await addWorkTree(s.git, workTreeBeside(s.root)));
  expect(readdirSync(join(s.root, '.git/worktrees')).toSorted()).toEqual(['-r-harness', 'lane', 'my-harness-1']);
});

test('one that was never finished is removed where the lane is not configured any more', async () => {
  const made = await withWorkTree();
  for (const [, back] of TAKEN_BACK.slice(0, 4)) back(made);
  valueOf(await removeWorkTree(made.s.git, made.path));
  expect([existsSync(made.path), existsSync(made.entry)]).toEqual([false, false]);
});

test('a folder or a file of the user’s at its place is named, and left as it is', async () => {
  const s = stage();
  const path = workTreeBeside(s.root);
  mkdirSync(path);
  writeFileSync(join(path, 'mine.txt'), 'mine\n');
  const inTheWay = { reason: 'workspace-unusable', params: { path, words: 'EEXIST' } };
  expect(failureOf(await addWorkTree(s.git, path))).toMatchObject(inTheWay);
  expect(readdirSync(path)).toEqual(['mine.txt']);
  rmSync(path, { recursive: true });
  writeFileSync(path, 'mine\n');
  expect(failureOf(await addWorkTree(s.git, path))).toMatchObject(inTheWay);
  expect(readFileSync(path, 'utf8')).toBe('mine\n');
});
