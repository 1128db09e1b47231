// A real git repository in a temporary folder, for tests of everything that touches git.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectFolder } from '../support/quick-folder.ts';
import type { Failure } from '../../src/model/failure.ts';
import type { Result } from '../../src/model/result.ts';
import { createGit, type Git, type GitOptions } from '../../src/repos/git.ts';

export type Stage = {
  readonly root: string;
  /** A home of its own: nothing of the machine's git configuration counts. */
  readonly home: string;
  readonly env: { readonly [name: string]: string };
  readonly git: Git;
  /** Another wrapper on the same repository. */
  readonly gitWith: (options: Partial<GitOptions>) => Git;
  /** What a person would type; gives what git printed, trimmed. */
  sh(...args: string[]): string;
  write(path: string, text: string | Uint8Array, mode?: number): void;
  read(path: string): string;
  remove(path: string): void;
  /** Adds everything and commits as the user. */
  commit(subject: string): string;
};

/** With one commit of `files`; removed when the test ends. */
export function stage(files: { readonly [path: string]: string } = { 'README.md': 'hello\n' }): Stage {
  const top = projectFolder('harness-repos-');
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [root, home] = [join(top, 'r'), join(top, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n',
  );
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const sh = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  sh('init', '-q');
  const write: Stage['write'] = (path, text, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  const commit = (subject: string) => {
    sh('add', '-A');
    sh('commit', '-q', '--allow-empty', '-m', subject);
    return sh('rev-parse', 'HEAD');
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  commit('start');
  const gitWith = (options: Partial<GitOptions>) => createGit({ root, token: 'test', env, ...options });
  return {
    root,
    home,
    env,
    sh,
    write,
    commit,
    gitWith,
    git: gitWith({}),
    read: (path) => readFileSync(join(root, path), 'utf8'),
    remove: (path) => rmSync(join(root, path), { recursive: true, force: true }),
  };
}

export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

export function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('it worked');
  return result.failure;
}

/** Every file and link below a folder with its mode and content, git's own folder left out. */
export function picture(root: string, at = ''): { [path: string]: string } {
  const found: { [path: string]: string } = {};
  for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
    const path = at === '' ? entry.name : `${at}/${entry.name}`;
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) Object.assign(found, picture(root, path));
    else if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`;
    else if (entry.isFile()) found[path] = `${mode(join(root, path))} ${digest(readFileSync(join(root, path)))}`;
  }
  return found;
}

const mode = (path: string): string => ((lstatSync(path).mode & 0o111) === 0 ? 'plain' : 'executable');
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
