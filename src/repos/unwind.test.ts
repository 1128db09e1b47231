import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { PROVISIONAL, UNWINDS } from '../model/provisional.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { treeOf } from './tree.ts';
import { unwindInWorkTree } from './unwind.ts';

const KEEP = ['log.txt', 'features.json'];
type Files = { readonly [path: string]: string | null };

function shop() {
  const s = stage({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'log.txt': 'start\n', 'features.json': '{}\n' });
  const commit = (trailer: string, files: Files): string => {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) s.remove(path);
      else s.write(path, text);
    }
    return s.commit(trailer === '' ? 'plain' : `subject\n\n${trailer}`);
  };
  const half = (item: string, files: Files): string => commit(`${PROVISIONAL}: ${item}`, files);
  return { s, commit, half };
}
const checkpoint = async (s: Stage) =>
  valueOf(await takeCheckpoint(s.git, { ref: 'refs/harness/checkpoints/x', message: 'x' }));
const unwind = async (s: Stage, before: Awaited<ReturnType<typeof checkpoint>>, item = '7') =>
  valueOf(await unwindInWorkTree(s.git, { before, item, keep: KEEP }));

test('what an item left is taken out from between the work of others; files about all items stay, no ref moves', async () => {
  const { s, commit, half } = shop();
  half('7', { 'a.txt': 'one\n2\n3\n4\n5\n6\n7\n8\n9\n', 'new/b.txt': 'b\n', 'log.txt': 'start\nseven\n' });
  commit('', { 'c.txt': 'c\n', 'a.txt': 'one\n2\n3\n4\n5\n6\n7\n8\nnine\n' });
  half('8', { 'd.txt': 'd\n' });
  half('7', { 'new/b.txt': 'b, and more\n', 'log.txt': 'start\nseven\nagain\n', 'features.json': '{"x":1}\n' });
  const before = await checkpoint(s);
  const head = s.sh('rev-parse', 'HEAD');
  const first = await unwind(s, before);
  expect(first).toEqual({ merged: { is: 'merged', tree: valueOf(await treeOf(s.git)) }, count: 2 });
  expect(await unwind(s, before)).toEqual(first); // after a death right behind it
  expect(s.read('a.txt')).toBe('1\n2\n3\n4\n5\n6\n7\n8\nnine\n');
  expect([existsSync(join(s.root, 'new')), s.read('c.txt'), s.read('d.txt')]).toEqual([false, 'c\n', 'd\n']);
  expect([s.read('log.txt'), s.read('features.json')]).toEqual(['start\nseven\nagain\n', '{"x":1}\n']);
  expect(s.sh('rev-parse', 'HEAD')).toBe(head);
});

test('a file that it removed or made executable is as before', async () => {
  const { s, half } = shop();
  s.write('tool.sh', '#!/bin/sh\n');
  s.commit('a tool');
  const tree = s.sh('rev-parse', 'HEAD^{tree}');
  s.write('tool.sh', '#!/bin/sh\n', 0o755);
  half('7', { 'a.txt': null });
  expect((await unwind(s, await checkpoint(s))).merged).toEqual({ is: 'merged', tree });
});

test('what was taken back before counts no more', async () => {
  const { s, commit, half } = shop();
  half('7', { 'b.txt': 'b\n' });
  commit(`${UNWINDS}: 7`, { 'b.txt': null });
  commit('', { 'b.txt': 'b\n' }); // a person brought it back
  half('7', { 'c.txt': 'c\n' });
  expect((await unwind(s, await checkpoint(s))).count).toBe(1);
  expect([existsSync(join(s.root, 'b.txt')), existsSync(join(s.root, 'c.txt'))]).toEqual([true, false]);
});

test('where what came after it changes the same lines, nothing is touched', async () => {
  const { s, commit, half } = shop();
  half('7', { 'a.txt': 'one\n', 'b.txt': 'b\n' });
  commit('', { 'a.txt': 'one, and two\n' });
  const tree = valueOf(await treeOf(s.git));
  expect((await unwind(s, await checkpoint(s))).merged).toEqual({ is: 'conflict', files: ['a.txt'] });
  expect(valueOf(await treeOf(s.git))).toBe(tree);
});

test('where somebody is at work in the tree, nothing is touched', async () => {
  const { s, half } = shop();
  half('7', { 'b.txt': 'b\n' });
  const clean = await checkpoint(s);
  writeFileSync(join(s.root, 'mine.txt'), 'mine\n');
  expect((await unwind(s, await checkpoint(s))).merged).toEqual({ is: 'not-clean' });
  expect((await unwind(s, clean)).merged).toEqual({ is: 'unfinished' });
  expect([s.read('b.txt'), s.read('mine.txt')]).toEqual(['b\n', 'mine\n']);
});
