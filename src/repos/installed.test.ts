// What an agent changed among the installed files is found, whatever times it gives to files; what tools write is not.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  lstatSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { quickIo } from '../../test/support/quick-io.ts';
import { createGit } from './git.ts';
import { ignoredPaths } from './ignored-paths.ts';
import { changedInstalled } from './installed.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'harness-installed-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const env = { PATH: process.env['PATH'] ?? '', HOME: root };
const git = createGit({ root, env, token: 'installed', io: quickIo() });
const write = (path: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), path);
};
execFileSync('git', ['init', '-q'], { cwd: root, env });
writeFileSync(join(root, '.gitignore'), 'node_modules\n.venv\nbuild\n');
const packages = ['node_modules/a/index.js', 'packages/b/node_modules/c/index.js', '.venv/lib/site-packages/d/e.py'];
for (const path of [...packages, 'build/out.js', 'node_modules/.cache/x', 'node_modules/.bin/tool', 'src/own.js'])
  write(path);
const bornMs = lstatSync(join(root, 'node_modules/a/index.js')).ctimeMs;

const found = async (fromMs: number, toMs: number): Promise<readonly string[]> => {
  const ignored = await ignoredPaths(git);
  if (!ignored.ok) throw new Error(ignored.failure.reason);
  return changedInstalled(root, ignored.value, [{ fromMs, toMs }]);
};

describe('installed files', () => {
  test('that were changed in a span are named; caches, what is built and what git keeps are not', async () => {
    expect(await found(bornMs - 1_000, Number.POSITIVE_INFINITY)).toEqual(
      [...packages, 'node_modules/.bin/tool'].sort(),
    );
  });

  test('that were changed before it or after it are not', async () => {
    expect(await found(bornMs + 60_000, bornMs + 120_000)).toEqual([]);
    expect(await found(bornMs - 120_000, bornMs - 60_000)).toEqual([]);
    expect(changedInstalled(root, ['node_modules/'], [])).toEqual([]);
  });

  test('that were given an older time, or a link in place of a package, are found all the same', async () => {
    const path = join(root, packages[0] ?? '');
    utimesSync(path, 1, 1);
    rmSync(join(root, 'packages/b/node_modules/c'), { recursive: true });
    symlinkSync('../../../src', join(root, 'packages/b/node_modules/c'));
    expect(await found(lstatSync(path).ctimeMs, Number.POSITIVE_INFINITY)).toEqual(
      expect.arrayContaining(['node_modules/a/index.js', 'packages/b/node_modules/c']),
    );
  });
});
