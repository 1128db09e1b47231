import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf, stage, valueOf } from '../../test/stage/repository.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { commitTree } from './commit.ts';
import { mergeIntoWorkTree } from './merge.ts';
import { treeOf } from './tree.ts';

/** Two branches since `start`: `main` with the work here, `theirs` with a colleague's. */
const parted = (
  theirs: { readonly [path: string]: string },
  mine: { readonly [path: string]: string } = { 'mine.txt': 'm\n' },
) => {
  const s = stage({ 'README.md': 'hello\n', 'a.txt': 'one\n', '.gitignore': 'out/\n' });
  s.sh('checkout', '-q', '-b', 'theirs');
  for (const [path, text] of Object.entries(theirs)) s.write(path, text);
  const tip = s.commit('theirs');
  s.sh('checkout', '-q', 'main');
  for (const [path, text] of Object.entries(mine)) s.write(path, text);
  const head = s.commit('mine');
  const checkpoint = async () =>
    valueOf(await takeCheckpoint(s.git, { ref: 'refs/harness/checkpoints/x', message: 'x' }));
  const merge = async (before: Awaited<ReturnType<typeof checkpoint>>, isReserved = (_: string) => false) =>
    valueOf(await mergeIntoWorkTree(s.git, { before, mine: head, theirs: tip, isReserved }));
  return { s, tip, head, checkpoint, merge };
};

const about = (mine: string, theirs: string, expectTree: string | null) => ({
  style: 'plain' as const,
  item: null,
  session: 1,
  subject: 'Merge',
  body: '',
  only: null,
  run: 'r1',
  token: 't1',
  files: {},
  expectTree,
  merges: { mine, theirs },
});

test('what both have comes into the work tree, no ref moves; committed it has both as parents, once however often asked', async () => {
  const { s, tip, head, checkpoint, merge } = parted({
    'theirs.txt': 't\n',
    'a.txt': 'two\n',
    'tool.sh': '#!/bin/sh\n',
  });
  const before = await checkpoint();
  const merged = await merge(before);
  expect(await merge(before)).toEqual(merged); // after a death right behind it
  expect([s.read('theirs.txt'), s.read('a.txt'), s.read('mine.txt'), s.sh('rev-parse', 'HEAD')]).toEqual([
    't\n',
    'two\n',
    'm\n',
    head,
  ]);
  const tree = valueOf(await treeOf(s.git));
  expect(merged).toEqual({ is: 'merged', tree });
  const made = valueOf(await commitTree(s.git, about(head, tip, tree)));
  expect(valueOf(await commitTree(s.git, about(head, tip, tree)))).toEqual(made);
  expect(s.sh('log', '-1', '--format=%P %T')).toBe(`${head} ${tip} ${tree}`);
  expect([s.sh('status', '--porcelain'), s.sh('rev-parse', 'HEAD')]).toEqual(['', made.commit]);
});

test('commits without a change of their own are merged too: the branch has to be over them', async () => {
  const { s, tip, head, checkpoint, merge } = parted({});
  const merged = await merge(await checkpoint());
  const tree = s.sh('rev-parse', 'HEAD^{tree}');
  expect(merged).toEqual({ is: 'merged', tree });
  const made = valueOf(await commitTree(s.git, about(head, tip, tree)));
  expect(s.sh('log', '-1', '--format=%P', String(made.commit))).toBe(`${head} ${tip}`);
});

test('conflicts and reserved files are named, and nothing is touched', async () => {
  const one = parted({ 'a.txt': 'two\n', 'b.txt': 'b\n' }, { 'a.txt': 'three\n' });
  expect(await one.merge(await one.checkpoint())).toEqual({ is: 'conflict', files: ['a.txt'] });
  const two = parted({ 'features.json': '{}\n', 'b.txt': 'b\n' });
  expect(await two.merge(await two.checkpoint(), (path) => path === 'features.json')).toEqual({
    is: 'reserved',
    files: ['features.json'],
  });
  for (const { s, head } of [one, two])
    expect([s.sh('status', '--porcelain'), s.sh('rev-parse', 'HEAD')]).toEqual(['', head]);
});

test("a person's edits keep everything as it is; so does a file of theirs that lies in the way", async () => {
  const { s, checkpoint, merge } = parted({ 'theirs.txt': 't\n', 'out/x': 'x\n' });
  s.write('a.txt', 'edited\n');
  expect(await merge(await checkpoint())).toEqual({ is: 'not-clean' });
  expect([s.read('a.txt'), existsSync(join(s.root, 'theirs.txt'))]).toEqual(['edited\n', false]);
  s.sh('checkout', '-q', 'a.txt');
  const before = await checkpoint();
  s.write('theirs.txt', 'a note\n');
  expect(await merge(before)).toMatchObject({ is: 'unfinished' });
  expect([s.read('theirs.txt'), s.read('a.txt')]).toEqual(['a note\n', 'one\n']);
});

test.each([
  ['a file', 'local.env', 'local.env'],
  ['a folder', 'local.env/key', 'local.env'],
  ['a file for a folder', 'local.env', 'local.env/key'],
])('what is ignored and in the way is not written over: %s', async (_, lies, comes) => {
  const s = stage({ '.gitignore': 'local.env\n', 'a.txt': 'a\n' });
  s.sh('checkout', '-q', '-b', 'theirs');
  s.write(comes, 'theirs\n');
  s.sh('add', '-f', comes);
  const theirs = s.commit('theirs');
  s.sh('checkout', '-q', 'main');
  s.write('b.txt', 'b\n');
  const mine = s.commit('mine');
  s.write(lies, 'my password\n');
  const before = valueOf(await takeCheckpoint(s.git, { ref: 'refs/harness/checkpoints/x', message: 'x' }));
  const merged = valueOf(await mergeIntoWorkTree(s.git, { before, mine, theirs, isReserved: () => false }));
  expect(merged).toEqual({ is: 'not-clean' });
  expect([s.read(lies), s.sh('status', '--porcelain')]).toEqual(['my password\n', '']);
});

test('a file of theirs that is ignored here is for a person: once written it would be in no tree', async () => {
  const { s, merge, checkpoint } = parted({ 'theirs.txt': 't\n' });
  s.write('.git/info/exclude', 'theirs.txt\n');
  expect(await merge(await checkpoint())).toEqual({ is: 'not-clean' });
  expect(existsSync(join(s.root, 'theirs.txt'))).toBe(false);
});

test('half of it, after git was killed in the middle, is said to be unfinished', async () => {
  const { s, checkpoint, merge } = parted({ 'theirs.txt': 't\n', 'a.txt': 'two\n' });
  const before = await checkpoint();
  s.write('a.txt', 'two\n');
  expect(await merge(before)).toEqual({ is: 'unfinished' });
});

test('a branch that moved meanwhile is not merged onto: the newer commit stays', async () => {
  const { s, tip, head, checkpoint, merge } = parted({ 'theirs.txt': 't\n' });
  const merged = await merge(await checkpoint());
  s.sh('add', '-A');
  const person = s.commit('by hand');
  const refused = valueOf(await commitTree(s.git, about(head, tip, 'tree' in merged ? merged.tree : null)));
  expect(refused).toMatchObject({ commit: null, refused: { code: 'tree-changed-since-check' } });
  expect(s.sh('rev-parse', 'HEAD')).toBe(person);
});

test('a merge driver, a filter or a hook that the repository configured does not run', async () => {
  const { s, checkpoint, merge } = parted(
    { 'a.txt': 'one\ntwo\n', '.gitattributes': '*.txt merge=evil filter=evil\n' },
    { 'a.txt': 'zero\none\n', '.gitattributes': '*.txt merge=evil filter=evil\n' },
  );
  const trap = join(s.home, 'sprung');
  const evil = join(s.home, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\ntouch ${trap}\ncat\n`);
  chmodSync(evil, 0o755);
  s.sh('config', 'merge.evil.driver', `${evil} %A`);
  s.sh('config', 'filter.evil.smudge', evil);
  s.sh('config', 'filter.evil.clean', evil);
  for (const hook of ['post-checkout', 'post-merge', 'reference-transaction'])
    writeFileSync(join(s.git.gitDir, 'hooks', hook), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  expect((await merge(await checkpoint())).is).toBe('merged');
  expect(s.read('a.txt')).toBe('zero\none\ntwo\n'); // as text, as if no driver were configured
  expect(existsSync(trap)).toBe(false);
});

test('what was merged and does not name a commit fails in the words of git', async () => {
  const { s, head, checkpoint } = parted({});
  const ask = { before: await checkpoint(), mine: head, theirs: '1'.repeat(40), isReserved: () => false };
  expect(failureOf(await mergeIntoWorkTree(s.git, ask)).reason).toBe('git-failed');
});
