// A throw-away copy of a tree: byte for byte, with dependencies, without a repository, gone afterwards.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf, picture, stage, valueOf } from '../../test/stage/repository.ts';
import { sha256 } from '../host/files.ts';
import { withTreeCopy } from './copy.ts';
import { treeOf } from './tree.ts';

test('a copy is the tree as it was, whatever the work tree became, and is gone afterwards', async () => {
  const s = stage({ 'src/a.txt': 'a\n', '.gitattributes': '* text=auto eol=crlf\n' });
  s.write('crlf.txt', 'one\r\n');
  s.write('run.sh', '#!/bin/sh\n', 0o755);
  symlinkSync('src/a.txt', join(s.root, 'link'));
  const before = picture(s.root);
  const tree = valueOf(await treeOf(s.git));
  s.write('src/a.txt', 'changed\n');
  s.write('new.txt', 'new\n');
  const now = picture(s.root);
  let at = '';
  const seen = valueOf(
    await withTreeCopy(s.git, tree, async (root) => {
      at = root;
      return Promise.resolve({ files: picture(root), git: existsSync(join(root, '.git')) });
    }),
  );
  expect(seen).toEqual({ files: before, git: false });
  expect(picture(s.root)).toEqual(now);
  expect([existsSync(at), at.startsWith(s.root)]).toEqual([false, false]);
});

test('installed dependencies are linked; what was built from the tree as it is now, and links that lead out, are not', async () => {
  const s = stage({ '.gitignore': 'node_modules/\ndist/\n.env\n.harness/\n', 'app/package.json': '{}\n' });
  for (const path of ['node_modules/x/i.js', 'app/node_modules/y/i.js', 'dist/built.js', '.env', '.harness/x'])
    s.write(path, 'x');
  const elsewhere = join(s.root, '..', 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(s.root, 'out'));
  const tree = valueOf(await treeOf(s.git));
  s.remove('out');
  s.write('out/node_modules/z/i.js', 'x');
  const links = valueOf(
    await withTreeCopy(s.git, tree, async (root) => {
      expect(readFileSync(join(root, 'app/node_modules/y/i.js'), 'utf8')).toBe('x');
      const paths = ['node_modules', 'app/node_modules', '.env', 'dist', '.harness'];
      return Promise.resolve(
        paths.map((path) =>
          lstatSync(join(root, path), { throwIfNoEntry: false }) ? readlinkSync(join(root, path)) : null,
        ),
      );
    }),
  );
  expect(links).toEqual(
    ['node_modules', 'app/node_modules', '.env'].map((path) => join(s.root, path)).concat(null as never, null as never),
  );
  expect(existsSync(join(elsewhere, 'node_modules'))).toBe(false);
});

test('a tree that is not there is a failure; copies that a dead life left are removed', async () => {
  const s = stage({ 'a.txt': 'a\n' });
  const old = mkdtempSync(join(tmpdir(), `harness-before-${sha256(s.root).slice(0, 8)}-`));
  expect(failureOf(await withTreeCopy(s.git, '0'.repeat(39) + '1', async () => Promise.resolve())).reason).toBe(
    'git-failed',
  );
  expect(existsSync(old)).toBe(false);
});
