// A folder that is no git repository, and the harness's own repository of it, for tests of everything that touches git.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ownFolders } from '../../src/repos/folders.ts';
import { createGit, type Git, type GitOptions } from '../../src/repos/git.ts';

export type Bare = {
  readonly root: string;
  readonly home: string;
  readonly env: { readonly [name: string]: string };
  /** Of the harness's own repository, made or not. */
  readonly gitWith: (options?: Partial<GitOptions>) => Git;
  write(path: string, text: string): void;
  /** What git prints in this folder, errors included. */
  said(...args: string[]): string;
  has(path: string): boolean;
};

/** The home's git configuration has no user name. Removed when the test ends. */
export function withoutGit(files: { readonly [path: string]: string } = { 'README.md': 'hello\n' }): Bare {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'harness-nogit-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [root, home] = [join(top, 'r'), join(top, 'home')];
  for (const folder of [root, home]) mkdirSync(folder);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, LC_ALL: 'C' };
  const write: Bare['write'] = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    root,
    home,
    env,
    write,
    gitWith: (options = {}) => createGit({ root, token: 'test', env, folders: ownFolders(root), ...options }),
    has: (path) => existsSync(join(root, path)),
    said(...args) {
      try {
        return execFileSync('git', args, {
          cwd: root,
          env,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        }).trim();
      } catch (error) {
        return String((error as { readonly stderr?: unknown }).stderr).trim();
      }
    },
  };
}
