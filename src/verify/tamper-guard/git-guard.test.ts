// Git's own files under the tamper guard: what differs is put back byte for byte, what git and the harness write themselves is no tampering.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { realIo, type Io } from '../../host/io.ts';
import { acceptOwnGitWrite, closeTamperGuard, openTamperGuard, settleTamperGuard } from '../tamper-guard.ts';
import { moveTamperGuard } from './moved.ts';

let base = '';
let root = '';
let into = '';
const io = realIo();
const at = (path: string): string => join(root, '.git', path);
const put = (path: string, text: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'harness-git-guard-')));
  root = join(base, 'repo');
  mkdirSync(root);
  into = join(root, '.git/harness/sessions/1/window');
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  put('info/exclude', 'kept\n');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const placesOf = (gitDir = at('')) => ({ root, gitDir: join(gitDir), commonDir: join(at('')) });
const open = (places = placesOf()) =>
  openTamperGuard(io, { root, files: [], into, git: { places, store: at('harness/git-files') } });
const close = (through: Io = io) => {
  const closed = closeTamperGuard(through, { into });
  if (!closed.ok) throw new Error(JSON.stringify(closed.failure));
  return closed.value;
};

test('an honest session leaves nothing to report, and the next one stores nothing new', () => {
  open();
  git('commit', '-q', '--allow-empty', '-m', 'mine');
  git('tag', 'mine');
  git('repack', '-adq');
  git('update-server-info');
  git('pack-refs', '--all');
  expect(close().problems).toEqual([]);
  const stored = readFileSync(join(into, 'window.json'), 'utf8');
  into = join(root, '.git/harness/sessions/2/window');
  open();
  const { git: first } = JSON.parse(stored) as { git: { copy: string } };
  const { git: second } = JSON.parse(readFileSync(join(into, 'window.json'), 'utf8')) as { git: { copy: string } };
  expect(second.copy).toBe(first.copy);
});

test('contents, modes, links and folders come back; what was there instead is kept', () => {
  put('hooks/idle', '#!/bin/sh\n');
  chmodSync(at('hooks/idle'), 0o644);
  symlinkSync('../../scripts/hook', at('hooks/linked'));
  const config = readFileSync(at('config'), 'utf8');
  open();
  chmodSync(at('hooks/idle'), 0o755);
  rmSync(at('hooks/linked'));
  appendFileSync(at('config'), '[core]\n\tfsmonitor = evil\n');
  rmSync(at('info'), { recursive: true });
  writeFileSync(at('info'), 'no folder\n');
  put('modules/lib/HEAD', 'ref: refs/heads/main\n');
  const { problems, kept } = close();
  expect(problems).toMatchObject([
    {
      code: 'git-files-edited',
      params: { count: 6 },
      ids: expect.arrayContaining(['.git/config', '.git/hooks/idle', '.git/modules/lib']) as unknown,
    },
  ]);
  expect(statSync(at('hooks/idle')).mode & 0o777).toBe(0o644);
  expect(readFileSync(at('config'), 'utf8')).toBe(config);
  expect(readFileSync(at('info/exclude'), 'utf8')).toBe('kept\n');
  expect(existsSync(at('modules/lib'))).toBe(false);
  expect(kept.find(({ path }) => path === '.git/config')?.copy).toMatch(/edited\/git\/[0-9a-f]+-\.git_config$/);
});

test('a work tree that is added meanwhile is left, unless it leads to another repository or configures git', () => {
  open();
  git('worktree', 'add', '-q', '--detach', join(base, 'plain'));
  git('worktree', 'add', '-q', '--detach', join(base, 'configured'));
  git('worktree', 'add', '-q', '--detach', join(base, 'elsewhere'));
  writeFileSync(at('worktrees/configured/config.worktree'), '[core]\n\tfsmonitor = ./x\n');
  writeFileSync(at('worktrees/elsewhere/commondir'), '/somewhere\n');
  expect(close().problems.flatMap(({ ids }) => ids)).toEqual([
    '.git/worktrees/configured/config.worktree',
    '.git/worktrees/elsewhere/commondir',
  ]);
  expect(existsSync(at('worktrees/plain/commondir'))).toBe(true);
});

test('in a linked work tree the folders of both are watched, and those of a work tree that is gone are not', () => {
  const linked = join(base, 'linked');
  git('worktree', 'add', '-q', '--detach', linked);
  git('worktree', 'add', '-q', '--detach', join(base, 'other'));
  const gitDir = at('worktrees/linked');
  const places = { root: linked, gitDir, commonDir: join(at('')) };
  openTamperGuard(io, { root: linked, files: [], into, git: { places, store: at('harness/git-files') } });
  writeFileSync(join(linked, '.git'), 'gitdir: /nowhere\n');
  writeFileSync(join(gitDir, 'config.worktree'), '[core]\n');
  put('hooks/post-commit', 'evil');
  git('worktree', 'remove', join(base, 'other'));
  expect(close().problems.flatMap(({ ids }) => ids)).toEqual([
    '.git',
    '.git/config.worktree',
    '.git/hooks/post-commit',
  ]);
  expect(readFileSync(join(linked, '.git'), 'utf8')).toBe(`gitdir: ${gitDir}\n`);
});

test('an ignore rule that the harness writes is no tampering; one of an agent before it is', () => {
  open();
  const write = (text: string) => {
    const before = readFileSync(at('info/exclude'));
    appendFileSync(at('info/exclude'), text);
    return { path: at('info/exclude'), before, after: readFileSync(at('info/exclude')) };
  };
  expect(acceptOwnGitWrite(io, into, write('own\n')).ok).toBe(true);
  expect(settleTamperGuard(io, { into, only: 'git' }).ok).toBe(true);
  expect(readFileSync(at('info/exclude'), 'utf8')).toBe('kept\nown\n');
  write('of the agent\n');
  expect(acceptOwnGitWrite(io, into, write('own again\n')).ok).toBe(true);
  expect(close().problems.flatMap(({ ids }) => ids)).toEqual(['.git/info/exclude']);
  expect(readFileSync(at('info/exclude'), 'utf8')).toBe('kept\nown\n');
});

test('what the configuration includes is watched, there or not', () => {
  const [known, unknown] = [join(root, 'shared.gitconfig'), join(root, 'later.gitconfig')];
  writeFileSync(known, '[alias]\n\tst = status\n');
  git('config', '--add', 'include.path', '../shared.gitconfig');
  git('config', '--add', 'include.path', '../later.gitconfig');
  open();
  rmSync(known);
  writeFileSync(unknown, '[core]\n\tfsmonitor = evil\n');
  expect(close().problems.flatMap(({ ids }) => ids)).toEqual(['later.gitconfig', 'shared.gitconfig']);
  expect([readFileSync(known, 'utf8'), existsSync(unknown)]).toEqual(['[alias]\n\tst = status\n', false]);
});

test('no file is touched that an agent made git name, or that lies behind its link', () => {
  const [precious, other] = [join(base, 'precious'), join(base, 'other')];
  writeFileSync(precious, 'mine');
  writeFileSync(other, '[core]\n');
  mkdirSync(join(base, 'bare/x'), { recursive: true });
  for (const name of ['bare/x/HEAD', 'bare/alternates', 'bare/x/config']) writeFileSync(join(base, name), 'mine');
  open();
  git('config', 'include.path', precious);
  put('config.worktree', `[include]\n\tpath = ${precious}\n`);
  rmSync(at('config'));
  symlinkSync(other, at('config'));
  symlinkSync(join(base, 'bare'), at('modules'));
  rmSync(at('objects/info'), { recursive: true });
  symlinkSync(join(base, 'bare'), at('objects/info'));
  const ids = close().problems[0]?.ids;
  expect(ids).toEqual(['config', 'config.worktree', 'modules', 'objects/info'].map((name) => `.git/${name}`));
  expect([readFileSync(precious, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['mine', '[core]\n']);
  for (const name of ['bare/x/HEAD', 'bare/alternates', 'bare/x/config'])
    expect(readFileSync(join(base, name), 'utf8')).toBe('mine');
  expect(['config.worktree', 'modules', 'objects/info'].filter((name) => existsSync(at(name)))).toEqual([]);
  expect(git('config', '--get-all', 'core.bare')).toBe('false');
});

test('what was put back between turns is reported once, at the end', () => {
  open();
  put('hooks/post-commit', 'evil');
  settleTamperGuard(io, { into, only: 'git' });
  expect(existsSync(at('hooks/post-commit'))).toBe(false);
  settleTamperGuard(io, { into, only: 'git' });
  const { problems, kept } = close();
  expect(problems.map(({ ids }) => ids)).toEqual([['.git/hooks/post-commit']]);
  expect(readFileSync(kept[0]?.copy ?? '', 'utf8')).toBe('evil');
});

test('a crash at any step of closing changes no finding and no file', () => {
  put('hooks/pre-commit', 'mine\n');
  const before = readFileSync(at('config'), 'utf8');
  for (let stop = 0; ; stop += 1) {
    rmSync(into, { recursive: true, force: true });
    open();
    appendFileSync(at('config'), '[alias]\n\tx = y\n');
    put('hooks/post-commit', 'evil');
    rmSync(at('hooks/pre-commit'));
    git('replace', '-f', 'HEAD', git('commit-tree', '-m', 'x', 'HEAD^{tree}'));
    git('pack-refs', '--all');
    let step = 0;
    const guarded = <A extends unknown[], T>(run: (...args: A) => T) => {
      return (...args: A): T => {
        if (step++ === stop) throw new Error('crash');
        return run(...args);
      };
    };
    const crashing: Io = {
      ...io,
      append: guarded(io.append),
      replace: guarded(io.replace),
      replaceAll: guarded(io.replaceAll),
      remove: guarded(io.remove),
    };
    let hasCrashed = false;
    try {
      close(crashing);
    } catch {
      hasCrashed = true;
    }
    const found = close();
    expect(found.problems.flatMap(({ ids }) => ids)).toEqual([
      '.git/config',
      '.git/hooks/post-commit',
      '.git/hooks/pre-commit',
      '.git/packed-refs',
    ]);
    expect(readFileSync(at('config'), 'utf8')).toBe(before);
    expect([existsSync(at('hooks/post-commit')), readFileSync(at('hooks/pre-commit'), 'utf8')]).toEqual([
      false,
      'mine\n',
    ]);
    expect([git('replace', '-l'), git('rev-parse', '--verify', 'HEAD') === '']).toEqual(['', false]);
    if (!hasCrashed) return;
  }
});

describe('a repository that was moved or copied in the middle of a session', () => {
  const settle = (from: string): void => {
    into = join(root, '.git/harness/sessions/1/window');
    const rootOf = (was: string): string => (was === from ? root : was);
    expect(moveTamperGuard(io, { into, rootOf, commonDir: at('') })).toMatchObject({ ok: true });
  };
  test('has its own files compared, and those of the original stay as they are', () => {
    open();
    const original = root;
    cpSync(root, join(base, 'copy'), { recursive: true });
    put('config', 'changed by its user since\n');
    root = join(base, 'copy');
    put('hooks/post-commit', '#!/bin/sh\n');
    settle(original);
    expect(close().problems.flatMap(({ ids }) => ids)).toEqual(['.git/hooks/post-commit']);
    expect(existsSync(at('hooks/post-commit'))).toBe(false);
    root = original;
    expect(readFileSync(at('config'), 'utf8')).toBe('changed by its user since\n');
  });
  test('is found where it is now', () => {
    open();
    const before = root;
    root = join(base, 'elsewhere');
    renameSync(before, root);
    settle(before);
    settle(before);
    // As an earlier version left it: only the work tree has moved.
    const [manifest, moved] = [join(into, 'window.json'), join(base, 'again')];
    const { root: _, ...rest } = JSON.parse(readFileSync(manifest, 'utf8')) as { root: string };
    writeFileSync(manifest, JSON.stringify({ ...rest, root: moved }));
    renameSync(root, moved);
    root = moved;
    settle(moved);
    expect(close().problems).toEqual([]);
    expect(existsSync(before)).toBe(false);
  });
});
