import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, type Stage } from '../../test/stage/repository.ts';
import { editIndex, isSeen, readIndex } from './index-file.ts';

const FILES = { a: '1\n', 'a.b': '2\n', 'deep/er/ä😀': '3\n', 'deep/er/b': '4\n', [`long/${'x'.repeat(200)}`]: '5\n' };
const indexOf = (s: Stage): string => join(s.root, '.git/index');
const listed = (s: Stage): readonly string[] => s.sh('ls-files', '-s', '-z').split('\0').filter(Boolean);
const read = (s: Stage): readonly string[] | null =>
  readIndex(s.git, indexOf(s))?.map(({ path, mode, id, stage: at }) => `${mode} ${id} ${at}\t${path}`) ?? null;

test.each([2, 3, 4])('version %i: entries as git lists them, with their marks', (version) => {
  const s = stage(FILES);
  s.write('new', 'n');
  s.write('run', 'r', 0o755);
  s.sh('add', 'run');
  s.sh('update-index', '--assume-unchanged', 'a');
  s.sh('update-index', `--index-version=${version}`);
  if (version > 2) {
    s.sh('add', '-N', 'new');
    s.sh('update-index', '--skip-worktree', 'a.b');
  }
  expect(read(s)).toEqual(listed(s));
  const entries = readIndex(s.git, indexOf(s)) ?? [];
  const named = (is: 'isMarked' | 'isIntent') => entries.filter((one) => one[is]).map(({ path }) => path);
  expect(named('isMarked')).toEqual(version > 2 ? ['a', 'a.b'] : ['a']);
  expect(named('isIntent')).toEqual(version > 2 ? ['new'] : []);
});

test.each([2, 3, 4])('version %i: an entry is edited in place, and git reads its file again', (version) => {
  const s = stage(FILES);
  if (version > 2) s.sh('update-index', '--skip-worktree', 'a.b');
  s.sh('update-index', `--index-version=${version}`);
  const id = s.sh('rev-parse', 'HEAD:a.b');
  const edits = new Map([['deep/er/b', { mode: '100755', id }]]);
  const before = listed(s);
  expect(editIndex(indexOf(s), 40, new Map([...edits, ['not/there', { mode: '100644', id }]]))).toBe(false);
  expect(listed(s)).toEqual(before);
  expect(editIndex(indexOf(s), 40, edits)).toBe(true);
  expect(listed(s)).toEqual(before.map((line) => (line.endsWith('deep/er/b') ? `100755 ${id} 0\tdeep/er/b` : line)));
  expect(s.sh('diff-files', '--name-only')).toBe('deep/er/b');
  expect(s.sh('ls-tree', '-r', s.sh('write-tree'), 'deep/er/b')).toBe(`100755 blob ${id}\tdeep/er/b`);
  s.sh('fsck');
});

test('what a merge has left of a file are several entries', () => {
  const s = stage({ a: 'base\n' });
  for (const [branch, text] of [
    ['one', '1\n'],
    ['two', '2\n'],
  ] as const) {
    s.sh('checkout', '-q', '-B', branch, 'main');
    s.write('a', text);
    s.commit(branch);
  }
  expect(() => s.sh('merge', '-q', 'one')).toThrow();
  expect(read(s)).toHaveLength(3);
  expect(read(s)).toEqual(listed(s));
});

test('a repository with the other kind of ids', () => {
  const s = stage(FILES);
  rmSync(join(s.root, '.git'), { recursive: true });
  s.sh('init', '-q', '--object-format=sha256');
  s.commit('start');
  expect(read(s)).toEqual(listed(s));
});

test('a file is seen as long as nothing of it changes', () => {
  const s = stage({ a: '1\n' });
  const isTheSame = (): boolean =>
    isSeen(readIndex(s.git, indexOf(s))![0]!, lstatSync(join(s.root, 'a'), { bigint: true }));
  expect(isTheSame()).toBe(true);
  s.write('a', '2\n');
  expect(isTheSame()).toBe(false);
  s.sh('add', 'a');
  expect(isTheSame()).toBe(true);
});

test('no index has no entries; a part of one, a sparse one, a broken or cut one is for git', () => {
  const s = stage(FILES);
  const whole = readFileSync(indexOf(s));
  const all = read(s);
  for (const bytes of [whole.subarray(0, whole.length / 2), whole.subarray(0, 5), 'no index', Buffer.alloc(500)]) {
    writeFileSync(indexOf(s), bytes);
    expect(read(s)).toBeNull();
  }
  writeFileSync(indexOf(s), whole);
  expect(read(s)).toEqual(all);
  s.sh('update-index', '--split-index');
  expect(read(s)).toBeNull();
  rmSync(indexOf(s));
  expect(read(s)).toEqual([]);
});
