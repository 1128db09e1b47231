// The folder of a proof workspace holds the files of a tree and nothing else, whatever ran in it before.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { amountOf } from '../../test/support/effort.ts';
import { createGit, type Git } from './git.ts';
import { checkOutInto, proofFolder, removeProofFolder, type ProofFolder } from './proof-folder.ts';
import { treeOf } from './tree.ts';

let top = '';
let root = '';
let git: Git;
let folder: ProofFolder;
const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };
const own = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  }).trim();
const put = (path: string, text: string): void => writeFileSync(join(root, path), text);

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'proof-folder-')));
  root = join(top, 'ein Laden mit Ü');
  mkdirSync(join(root, 'src'), { recursive: true });
  own('init', '-q', '-b', 'main');
  put('src/a.txt', 'one\n');
  put('.gitignore', 'secret.txt\nnode_modules/\n');
  own('add', '-A');
  own('commit', '-q', '-m', 'start');
  own('tag', 'v1');
  own('update-ref', 'refs/harness/attempts/1', 'HEAD');
  git = createGit({ root, env, token: 'proof-folder' });
  folder = proofFolder(join(top, 'pool'), 1);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

async function checkOut(installed: readonly string[] = []): Promise<void> {
  const tree = await treeOf(git);
  if (!tree.ok) throw new Error(tree.failure.reason);
  const done = await checkOutInto(git, folder, { tree: tree.value, over: null, installed });
  if (!done.ok) throw new Error(JSON.stringify(done.failure));
}
const files = (): readonly string[] =>
  readdirSync(folder.root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git/') && path !== '.git')
    .sort();
const text = (path: string): string => readFileSync(join(folder.root, path), 'utf8');

describe('the files', () => {
  const name = fc.constantFrom('a', 'b', 'd/a', 'd/ü b', 'd/e/f', 'link', 'src/a.txt');
  const change = fc.oneof(
    fc.tuple(name, fc.constantFrom('one\n', 'two\n', '')).map(([path, text]) => ({ path, text, is: 'file' as const })),
    fc.tuple(name, fc.constantFrom('a', 'd', '/etc')).map(([path, text]) => ({ path, text, is: 'link' as const })),
    name.map((path) => ({ path, text: '#!/bin/sh\n', is: 'tool' as const })),
    name.map((path) => ({ path, text: '', is: 'nothing' as const })),
  );
  const changes = fc.array(change, { minLength: 1, maxLength: 4 });
  function apply(
    below: string,
    all: readonly { readonly path: string; readonly text: string; readonly is: string }[],
  ): void {
    for (const { path, text, is } of all) {
      const file = join(below, path);
      // A folder on the way that is a file or a link gives way.
      for (let at = dirname(path); at !== '.'; at = dirname(at))
        if (statsOf(join(below, at))?.isDirectory() === false) rmSync(join(below, at));
      rmSync(file, { recursive: true, force: true });
      if (is === 'nothing') continue;
      mkdirSync(dirname(file), { recursive: true });
      if (is === 'link') symlinkSync(text, file);
      else writeFileSync(file, text, { mode: is === 'tool' ? 0o755 : 0o644 });
    }
  }

  test('are those of the tree, whichever was there before and whatever a test did to them; git finds nothing else there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(changes, changes), { minLength: 1, maxLength: 3 }), async (rounds) => {
        for (const [work, damage] of rounds) {
          apply(root, work);
          await checkOut();
          own('add', '-A');
          const tree = own('write-tree');
          const at = ['-C', folder.root];
          expect(own(...at, 'ls-files', '-s')).toBe(own('ls-files', '-s'));
          expect(own(...at, 'ls-files', '-m', '-d', '-o')).toBe('');
          expect(own(...at, 'write-tree')).toBe(tree);
          apply(folder.root, damage);
        }
      }),
      { numRuns: amountOf(6, 30) },
    );
  });

  test('are those of the candidate: uncommitted work is in, what git ignores is not', async () => {
    put('src/b.txt', 'new\n');
    put('secret.txt', 'only here\n');
    await checkOut();
    expect(files()).toEqual(['.gitignore', 'src', 'src/a.txt', 'src/b.txt']);
  });

  test('are written again where a test changed them, also with the size and time of before', async () => {
    await checkOut();
    const path = join(folder.root, 'src/a.txt');
    writeFileSync(path, 'two\n');
    utimesSync(path, new Date(0), new Date(0));
    await checkOut();
    expect(text('src/a.txt')).toBe('one\n');
  });

  test('are left alone where nothing touched them: git writes nothing', async () => {
    await checkOut();
    const asked: string[] = [];
    const before = git;
    git = { ...before, run: (args, more) => (asked.push(args.join(' ')), before.run(args, more)) };
    await checkOut();
    expect(asked.filter((words) => words.includes('read-tree'))).toEqual([]);
    writeFileSync(join(folder.root, 'src/a.txt'), 'two\n');
    await checkOut();
    expect(text('src/a.txt')).toBe('one\n');
  });

  test('are written again behind a link that a test put in the place of a folder', async () => {
    await checkOut();
    const at = (path: string): string => join(folder.root, path);
    renameSync(at('src'), join(top, 'moved'));
    symlinkSync(join(top, 'moved'), at('src'));
    await checkOut();
    expect(lstatSync(at('src')).isDirectory()).toBe(true);
    expect(readdirSync(join(top, 'moved'))).toEqual(['a.txt']);
  });

  test('left by a test are removed: untracked, ignored, repositories, links and folders in the place of files', async () => {
    await checkOut();
    const at = (path: string): string => join(folder.root, path);
    writeFileSync(at('left.txt'), '');
    writeFileSync(at('secret.txt'), '');
    writeFileSync(Buffer.from(at('odd \xff'), 'latin1'), '');
    mkdirSync(at('inner/.git'), { recursive: true });
    rmSync(at('src'), { recursive: true });
    symlinkSync(top, at('src'));
    await checkOut();
    expect(files()).toEqual(['.gitignore', 'src', 'src/a.txt']);
    expect(existsSync(join(top, 'a.txt'))).toBe(false);
  });

  test('of installed packages stay', async () => {
    await checkOut(['node_modules']);
    mkdirSync(join(folder.root, 'node_modules/x'), { recursive: true });
    writeFileSync(join(folder.root, 'node_modules/x/index.js'), '');
    await checkOut(['node_modules']);
    expect(existsSync(join(folder.root, 'node_modules/x/index.js'))).toBe(true);
    await checkOut();
    expect(existsSync(join(folder.root, 'node_modules'))).toBe(false);
  });

  test('of another tree lie over it where they are asked for', async () => {
    const before = await treeOf(git);
    put('src/a.txt', 'changed\n');
    put('src/b.txt', 'new\n');
    const after = await treeOf(git);
    if (!before.ok || !after.ok) throw new Error('no tree');
    const over = { tree: before.value, paths: ['src/a.txt', 'src/b.txt'] };
    const done = await checkOutInto(git, folder, { tree: after.value, over, installed: [] });
    expect(done.ok).toBe(true);
    expect(files()).toEqual(['.gitignore', 'src', 'src/a.txt']);
    expect(text('src/a.txt')).toBe('one\n');
  });

  test('come from nothing where the index of the workspace is broken or a lock was left', async () => {
    await checkOut();
    writeFileSync(folder.index, 'no index');
    writeFileSync(`${folder.index}.lock`, '');
    await checkOut();
    expect(text('src/a.txt')).toBe('one\n');
  });
});

describe('git in it', () => {
  const inside = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder.root, env, encoding: 'utf8' }).trim();

  test('knows the history, branches and tags, and nothing of the harness', async () => {
    put('src/a.txt', 'changed\n');
    await checkOut();
    expect(inside('log', '--format=%s')).toBe('start');
    expect(inside('describe', '--tags')).toBe('v1');
    expect(inside('for-each-ref', '--format=%(refname)').split('\n')).toEqual(['refs/heads/main', 'refs/tags/v1']);
    expect(inside('status', '--porcelain')).toBe('M  src/a.txt');
  });

  test('runs no hook and no setting that was left there', async () => {
    await checkOut();
    mkdirSync(join(folder.root, '.git/hooks'), { recursive: true });
    writeFileSync(join(folder.root, '.git/config'), '[core]\n\tfsmonitor = touch pwned\n');
    await checkOut();
    expect(existsSync(join(folder.root, '.git/hooks'))).toBe(false);
    expect(inside('config', '--list', '--local')).not.toContain('fsmonitor');
  });

  test('is the same whatever was left in its place, and nothing behind a link is written', async () => {
    await checkOut();
    const at = (path: string): string => join(folder.root, '.git', path);
    const all = (): readonly (readonly [string, string])[] =>
      readdirSync(at(''), { recursive: true, withFileTypes: true })
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path, lstatSync(path).isFile() ? readFileSync(path, 'latin1') : 'folder'] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
    const clean = all();
    const outside = join(top, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'file'), 'mine');
    const left: readonly ((path: string) => void)[] = [
      (path) => mkdirSync(join(path, 'deep'), { recursive: true }),
      (path) => symlinkSync(join(outside, 'file'), path),
      (path) => symlinkSync(outside, path),
      (path) => execFileSync('mkfifo', [path]),
      (path) => writeFileSync(path, 'other'),
      (path) => (mkdirSync(path, { recursive: true }), writeFileSync(Buffer.from(`${path}/\xff`, 'latin1'), '')),
      () => undefined,
    ];
    const names = [
      'HEAD',
      'index',
      'packed-refs',
      'config',
      'refs',
      'refs/heads',
      'objects',
      'objects/info',
      'objects/info/alternates',
      'x',
      '',
    ];
    for (const name of names)
      for (const leave of left) {
        rmSync(at(name), { recursive: true, force: true });
        leave(at(name));
        await checkOut();
        expect(all(), name).toEqual(clean);
      }
    expect([readdirSync(outside), readFileSync(join(outside, 'file'), 'utf8')]).toEqual([['file'], 'mine']);
  });
});

test('a workspace can be removed', async () => {
  await checkOut();
  removeProofFolder(folder);
  expect([existsSync(folder.root), existsSync(folder.index)]).toEqual([false, false]);
});

describe('a submodule', () => {
  test('is there at the commit that the candidate records', async () => {
    const library = join(top, 'library');
    mkdirSync(library);
    const inLibrary = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: library,
        env,
        encoding: 'utf8',
      });
    inLibrary('init', '-q', '-b', 'main');
    writeFileSync(join(library, 'lib.txt'), 'library\n');
    inLibrary('add', '-A');
    inLibrary('commit', '-q', '-m', 'library');
    own('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendored/lib');
    own('commit', '-q', '-m', 'with a submodule');
    await checkOut();
    expect(text('vendored/lib/lib.txt')).toBe('library\n');
  });
});
