// What one tree adds to another, whatever its files are.
import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { changeBetween } from './change-text.ts';

test('texts, bytes, links and odd names, with the numbers of their lines', async () => {
  const s = stage();
  s.write('ö "x"', 'one\ntwo\nthree\n');
  s.write('bytes', '\0old\n');
  s.write('link', 'a file\n');
  s.write('gone', 'gone\n');
  s.write('.gitattributes', '* binary diff=odd\n');
  s.commit('before');
  const before = s.sh('rev-parse', 'HEAD');
  s.write('ö "x"', 'one\nzwei ü\nthree\nfour without an end');
  s.write('bytes', '\0new\n');
  unlinkSync(join(s.root, 'link'));
  symlinkSync('target', join(s.root, 'link'));
  unlinkSync(join(s.root, 'gone'));
  s.write('new', '@@ -1 +1 @@\ndiff --git a/x b/x\n');
  s.commit('after');
  const change = valueOf(await changeBetween(s.git, before, s.sh('rev-parse', 'HEAD')));
  const lines = (line: number, text: string) => [{ line, text }];
  expect(change).toEqual([
    { path: 'bytes', isNew: false, removed: lines(1, '\0old'), added: lines(1, '\0new') },
    { path: 'gone', isNew: false, removed: lines(1, 'gone'), added: [] },
    { path: 'link', isNew: false, removed: lines(1, 'a file'), added: [] },
    { path: 'link', isNew: false, removed: [], added: lines(1, 'target') },
    { path: 'new', isNew: true, removed: [], added: lines(1, '@@ -1 +1 @@\ndiff --git a/x b/x') },
    {
      path: 'ö "x"',
      isNew: false,
      removed: lines(2, 'two'),
      added: [
        { line: 2, text: 'zwei ü' },
        { line: 4, text: 'four without an end' },
      ],
    },
  ]);
});

test('the same tree adds nothing', async () => {
  const s = stage();
  expect(valueOf(await changeBetween(s.git, 'HEAD', 'HEAD'))).toEqual([]);
});
