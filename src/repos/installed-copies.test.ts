// What is installed comes back as it was kept, whatever was done to it; nothing outside of it is touched.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { beforeEach, afterEach, describe, expect, test } from 'vitest';
import { assert, asyncProperty, shuffledSubarray } from 'fast-check';
import { quickIo } from '../../test/support/quick-io.ts';
import { createGit } from './git.ts';
import { keepInstalled, putInstalledBack } from './installed-copies.ts';
import { ignoredPaths } from './ignored-paths.ts';

let top = '';
let root = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'harness-installed-')));
  root = join(top, 'repo');
  mkdirSync(join(top, 'outside'), { recursive: true });
  writeFileSync(join(top, 'outside/mine.txt'), 'mine');
  for (const path of [
    '../outside/mine.txt',
    'src/own.js',
    'node_modules/a/index.js',
    'node_modules/a/bin/run',
    'pkg/node_modules/b/i.js',
  ])
    write(path, path);
  chmodSync(join(root, 'node_modules/a/bin/run'), 0o755);
  mkdirSync(join(root, 'node_modules/.bin'));
  symlinkSync('../a/bin/run', join(root, 'node_modules/.bin/run'));
  write('.gitignore', 'node_modules\n');
  execFileSync('git', ['init', '-q'], { cwd: root, env: env() });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const env = () => ({ PATH: process.env['PATH'] ?? '', HOME: top });
const into = (): string => join(top, 'private', 'installed');
function write(path: string, text: string): void {
  const folder = dirname(join(root, path));
  mkdirSync(folder, { recursive: true });
  if (realpathSync(folder) !== folder) throw new Error('through a link, and no box lets that out');
  writeFileSync(join(root, path), text);
}
async function ignored(): Promise<readonly string[]> {
  const found = await ignoredPaths(createGit({ root, env: env(), token: 'installed', io: quickIo() }));
  if (!found.ok) throw new Error(found.failure.reason);
  return found.value;
}
const keep = async (): Promise<void> => keepInstalled(quickIo(), root, await ignored(), into());
const back = async () => putInstalledBack(root, await ignored(), into(), () => ['told']);

/** Everything but git's own folder: path, mode, content or target. */
const picture = (): readonly string[] =>
  [root, join(top, 'outside')]
    .flatMap((from) => readdirSync(from, { recursive: true, withFileTypes: true }))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.git/') && !path.endsWith('/.git'))
    .map((path) => {
      const facts = lstatSync(path);
      const what = facts.isSymbolicLink()
        ? `→ ${readlinkSync(path)}`
        : facts.isFile()
          ? readFileSync(path, 'utf8')
          : '/';
      const changed = facts.isFile() ? Math.round(facts.mtimeMs) : 0;
      return `${relative(top, path)} ${(facts.mode & 0o777).toString(8)} ${changed} ${what}`;
    })
    .sort();

const HARM: { readonly [what: string]: () => void } = {
  'a file is patched': () => write('node_modules/a/index.js', 'patched'),
  'a file is patched to the same length': () => write('node_modules/a/index.js', 'NODE_MODULES/A/INDEX.JS'),
  'a package is removed': () => rmSync(join(root, 'node_modules/a'), { recursive: true, force: true }),
  'all of it is removed': () => rmSync(join(root, 'node_modules'), { recursive: true, force: true }),
  'a package is added': () => write('node_modules/new/deep/index.js', 'new'),
  'a package becomes a link to the outside': () => {
    rmSync(join(root, 'node_modules/a'), { recursive: true, force: true });
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    symlinkSync('../../outside', join(root, 'node_modules/a'));
  },
  'the folder becomes a link to the outside': () => {
    rmSync(join(root, 'pkg/node_modules'), { recursive: true, force: true });
    symlinkSync('../../outside', join(root, 'pkg/node_modules'));
  },
  'a link leads elsewhere': () => {
    rmSync(join(root, 'node_modules/.bin'), { recursive: true, force: true });
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
    symlinkSync('/bin/true', join(root, 'node_modules/.bin/run'));
  },
  'a file becomes a folder': () => {
    rmSync(join(root, 'pkg/node_modules/b/i.js'), { force: true, recursive: true });
    rmSync(join(root, 'pkg/node_modules'), { force: true, recursive: true });
    write('pkg/node_modules/b/i.js/x', 'x');
  },
};

describe('what is installed', () => {
  test('comes back as it was, after any harm in any order, and once more changes nothing', async () => {
    const before = picture();
    await keep();
    const harms = shuffledSubarray(Object.keys(HARM), { minLength: 1, maxLength: 4 });
    await assert(
      asyncProperty(harms, async (chosen) => {
        for (const what of chosen) {
          try {
            HARM[what]?.();
          } catch {
            continue; // an earlier change is in its way
          }
        }
        await back();
        expect(picture()).toEqual(before);
        await back();
        expect(picture()).toEqual(before);
      }),
      { numRuns: 25 },
    );
  });

  test('is kept again where it changed by itself, and what was not kept is only named', async () => {
    expect(await back()).toEqual({ put: [], left: ['told'] });
    await keep();
    write('node_modules/a/index.js', 'newer version');
    write('node_modules/c/index.js', 'installed since');
    await keep();
    const before = picture();
    for (const what of ['a file is patched', 'a package is removed', 'a package is added']) HARM[what]?.();
    await back();
    expect(picture()).toEqual(before);
  });

  test('may be nothing at all: then what an agent installs goes again', async () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    rmSync(join(root, 'pkg'), { recursive: true });
    await keep();
    HARM['a package is added']?.();
    expect(await back()).toEqual({ put: ['node_modules/new/deep/index.js'], left: [] });
    expect(readdirSync(root)).not.toContain('node_modules');
  });
});
