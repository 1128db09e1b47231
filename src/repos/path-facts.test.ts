// On a real folder: its files, links reported and not followed, and names that are the same on other file systems.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { picture, stage } from '../../test/stage/repository.ts';
import { openRepositoryView } from './repository-view.ts';
import { pathFact } from './path-facts.ts';

function shop() {
  const s = stage({ 'src/a.ts': 'a\n', 'README.md': 'hello\n', 'Twin.ts': '1\n', 'twin.ts': '2\n' });
  const link = (target: string, path: string) => symlinkSync(target, join(s.root, path));
  return { s, link, look: (path: string) => pathFact(s.root, path) };
}

test('a file, a folder, nothing, a pipe, a file with two names', () => {
  const { s, look } = shop();
  linkSync(join(s.root, 'README.md'), join(s.root, 'again.md'));
  execFileSync('mkfifo', [join(s.root, 'pipe')]);
  expect([
    look('src/a.ts'),
    look('src'),
    look('src/b.ts'),
    look('none/at/all'),
    look('pipe'),
    look('again.md'),
  ]).toEqual([
    { is: 'file', names: 1, alike: [] },
    { is: 'folder', alike: [] },
    { is: 'absent', alike: [] },
    { is: 'absent', alike: [] },
    { is: 'other', alike: [] },
    { is: 'file', names: 2, alike: [] },
  ]);
  expect([look('.'), look(''), look('src/a.ts/b')]).toEqual([
    { is: 'folder', alike: [] },
    { is: 'folder', alike: [] },
    { is: 'absent', alike: [] },
  ]);
});

test('a link says where it points, whole, broken, in a circle or out of the root', () => {
  const { link, look } = shop();
  link('src', 'lib');
  link('nothing/there', 'broken');
  link('round', 'round');
  link('/etc/passwd', 'out');
  expect(['lib', 'broken', 'round', 'out'].map(look)).toEqual(
    ['src', 'nothing/there', 'round', '/etc/passwd'].map((target) => ({ is: 'link', target, alike: [] })),
  );
});

test('nothing is looked at through a link, or from outside', () => {
  const { link, look } = shop();
  link('src', 'lib');
  link('/etc', 'etc');
  for (const path of [
    'lib/a.ts',
    'etc/passwd',
    '../r/README.md',
    'src/../README.md',
    '/etc/passwd',
    './src',
    'src/',
    'a\0b',
  ])
    expect([path, look(path).is]).toEqual([path, 'other']);
});

test('a name that is there in another spelling is reported, the name itself is not', () => {
  const { s, look } = shop();
  s.write('src/cafe\u0301.ts', '');
  s.write('src/dot.', '');
  expect([
    look('readme.md'),
    look('Twin.ts'),
    look('TWIN.ts'),
    look('src/café.ts'),
    look('src/dot'),
    look('SRC'),
  ]).toEqual([
    { is: 'absent', alike: ['README.md'] },
    { is: 'file', names: 1, alike: [] },
    { is: 'absent', alike: ['Twin.ts', 'twin.ts'] },
    { is: 'absent', alike: ['cafe\u0301.ts'] },
    { is: 'absent', alike: ['dot.'] },
    { is: 'absent', alike: ['src'] },
  ]);
});

test('a name too long for the file system is nothing, and looking changes nothing', async () => {
  const { s, look } = shop();
  mkdirSync(join(s.root, 'empty'));
  const before = picture(s.root);
  const view = openRepositoryView(s.git, s.root, { now: () => 0, iso: () => '1970-01-01T00:00:00.000Z' });
  expect([look('x'.repeat(300)).is, (await view.look('empty/x')).is]).toEqual(['absent', 'absent']);
  expect(picture(s.root)).toEqual(before);
});
