// A tree with some of its files exchanged, against the id that git itself gives it.
import { expect, test } from 'vitest';
import { stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import { editedTree, entryIn, foldersOf, type Folders, type TreeEntry } from './edited-tree.ts';
import { readObjects } from './objects.ts';

const FILES = {
  'list.json': '{}\n',
  'a/list.json': '1\n',
  'a.b': 'sorted between a folder and its slash\n',
  'a-b/c/d.txt': 'deep\n',
  'über/straße.txt': 'names keep their bytes\n',
};

async function foldersIn(s: Stage, tree: string, paths: readonly string[]): Promise<Folders> {
  const folders = foldersOf(paths);
  const read = valueOf(
    await readObjects(
      s.git,
      folders.map((folder) => `${tree}:${folder}`),
    ),
  );
  const bytes = folders.flatMap((folder, n) => {
    const one = read[n] ?? null;
    return one?.type === 'tree' ? [[folder, one.bytes] as const] : [];
  });
  return { tree, bytes: new Map(bytes) };
}

test.each<readonly [what: string, change: (s: Stage) => void, paths: readonly string[]]>([
  ['a file at the top changes', (s) => s.write('list.json', 'x\n'), ['list.json']],
  ['a file in a folder becomes executable', (s) => s.write('a/list.json', '1\n', 0o755), ['a/list.json']],
  [
    'files in several folders change',
    (s) => FILES_IN.forEach((path) => s.write(path, 'y\n')),
    ['a-b/c/d.txt', 'über/straße.txt'],
  ],
  ['the last file of a folder is removed', (s) => s.remove('a-b/c/d.txt'), ['a-b/c/d.txt']],
  ['a file in a new folder appears', (s) => s.write('new/er/file.txt', 'z\n'), ['new/er/file.txt']],
])('%s: the id is the one that git gives', async (_, change, paths) => {
  const s = stage(FILES);
  const before = s.sh('rev-parse', 'HEAD^{tree}');
  change(s);
  s.sh('add', '-A');
  const after = s.sh('write-tree');
  const [then, now] = [await foldersIn(s, before, paths), await foldersIn(s, after, paths)];
  const entries = (of: Folders): ReadonlyMap<string, TreeEntry | null> =>
    new Map(paths.map((path) => [path, entryIn(of, path)]));
  expect(after).not.toBe(before);
  expect(editedTree(then, entries(now))).toBe(after);
  expect(editedTree(now, entries(then))).toBe(before);
});
const FILES_IN = ['a-b/c/d.txt', 'über/straße.txt'];
