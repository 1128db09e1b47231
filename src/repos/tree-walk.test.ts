import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf, stage, valueOf } from '../../test/stage/repository.ts';
import { pathsBetween, pathsChangedBy } from './history.ts';
import { entriesBetween, filesOfTree } from './tree-walk.ts';

const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** Names that sort differently with and without the slash of a folder, and some that people do not type. */
const NAMES = {
  a: 'a',
  'a.b': '1',
  'a-b/c': '2',
  a0: '3',
  'deep/er/x': '4',
  'é😀/ﬀ': '5',
  'tab\tline\nend': '6',
  z: '7',
};

function twoTrees() {
  const s = stage({ ...NAMES, 'gone/only': 'x', kind: 'file', link: 'file', bits: 'bits' });
  const before = s.sh('rev-parse', 'HEAD');
  s.remove('a');
  for (const [path, text] of Object.entries({ 'a/inner': 'f', 'deep/er/y': 'new', z: 'changed', 'new/folder/f': 'n' }))
    s.write(path, text);
  s.remove('gone');
  rmSync(join(s.root, 'link'));
  symlinkSync('kind', join(s.root, 'link'));
  s.write('bits', 'bits', 0o755);
  s.sh('add', '-A');
  s.sh('update-index', '--add', '--cacheinfo', `160000,${before},module`);
  s.sh('commit', '-qm', 'second');
  return { s, before, after: s.sh('rev-parse', 'HEAD') };
}

test('the files of a tree are those that git lists, in its order', async () => {
  const { s, before, after } = twoTrees();
  for (const tree of [before, after]) {
    const listed = s.sh('ls-tree', '-r', '-z', tree).split('\0').filter(Boolean);
    const found = valueOf(await filesOfTree(s.git, tree));
    expect(
      found.map(({ path, mode, id }) => `${mode} ${mode === '160000' ? 'commit' : 'blob'} ${id}\t${path}`),
    ).toEqual(listed);
  }
  const some = valueOf(await filesOfTree(s.git, after, ['deep/er', 'z', 'a', 'a-b/c', 'é😀', 'nothing', 'z/below']));
  expect(some.map(({ path }) => path)).toEqual(['a-b/c', 'a/inner', 'deep/er/x', 'deep/er/y', 'z', 'é😀/ﬀ']);
  expect(valueOf(await filesOfTree(s.git, EMPTY))).toEqual([]);
  expect(failureOf(await filesOfTree(s.git, '0'.repeat(40))).reason).toBe('git-failed');
});

test('what differs between two trees is what git says, in its order', async () => {
  const { s, before, after } = twoTrees();
  for (const [from, to] of [
    [before, after],
    [after, before],
    [EMPTY, after],
    [after, EMPTY],
    [after, after],
  ] as const) {
    const raw = s.sh('diff-tree', '-r', '-z', '--no-renames', '--no-abbrev', '--raw', from, to).split('\0');
    const found = valueOf(await entriesBetween(s.git, from, to));
    const nothing = { mode: '000000', id: '0'.repeat(40) };
    const lines = found.flatMap(({ path, before: was, after: is }) => {
      const [a, b] = [was ?? nothing, is ?? nothing];
      const how = was === null ? 'A' : is === null ? 'D' : was.mode.slice(0, 3) === is.mode.slice(0, 3) ? 'M' : 'T';
      return [`:${a.mode} ${b.mode} ${a.id} ${b.id} ${how}`, path];
    });
    expect(lines).toEqual(raw.filter((part) => part !== ''));
    expect(valueOf(await pathsBetween(s.git, from, to))).toEqual(found.map(({ path }) => path));
  }
});

test('a tree of an old git, with all bits of a mode, differs in nothing but the one that counts', async () => {
  const s = stage({ f: 'text', g: 'more' });
  const id = (path: string): Buffer => Buffer.from(s.sh('rev-parse', `HEAD:${path}`), 'hex');
  const old = Buffer.concat([Buffer.from('100664 f\0'), id('f'), Buffer.from('100775 g\0'), id('g')]);
  const made = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
    cwd: s.root,
    input: old,
    encoding: 'utf8',
  });
  expect(valueOf(await pathsBetween(s.git, 'HEAD', made.trim()))).toEqual(['g']);
});

test('the oldest commit of a shallow clone counts as one that made all its files', async () => {
  const s = stage({ a: '1', b: '1' });
  s.write('a', '2');
  const tip = s.commit('second');
  expect(valueOf(await pathsChangedBy(s.git, [tip]))).toEqual([['a']]);
  const shallow = `${s.root}-shallow`;
  execFileSync('git', ['clone', '-q', '--depth=1', `file://${s.root}`, shallow], { env: s.env });
  expect(valueOf(await pathsChangedBy(s.gitWith({ root: shallow }), [tip]))).toEqual([['a', 'b']]);
});
