import { spawn } from 'node:child_process';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Death, dyingIo } from '../../test/stage/death.ts';
import { picture, stage, valueOf } from '../../test/stage/repository.ts';
import { stashUserWork } from './stash.ts';
import { sweepLocks } from './sweep.ts';

test('unfinished work is put away and comes back as it was, staged and untracked files too', async () => {
  const s = stage({ 'a.txt': 'a\n', '.gitignore': '.env\n' });
  s.write('a.txt', 'staged\n');
  s.sh('add', 'a.txt');
  s.write('new.txt', 'new\n');
  s.write('.env', 'x');
  s.write('.harness/state', 'x');
  const before = [picture(s.root), s.sh('diff', '--cached')];
  const commit = valueOf(await stashUserWork(s.git, 'harness: before run 1'));
  expect([s.sh('diff', 'HEAD'), s.read('.env'), s.read('.harness/state')]).toEqual(['', 'x', 'x']);
  expect(s.sh('rev-parse', 'stash@{0}')).toBe(commit);
  expect(valueOf(await stashUserWork(s.git, 'harness: before run 1'))).toBe(commit);
  expect(s.sh('stash', 'list').split('\n')).toHaveLength(1);
  s.sh('stash', 'pop', '-q', '--index');
  expect([picture(s.root), s.sh('diff', '--cached')]).toEqual(before);
});

test('where there is nothing to put away there is no stash', async () => {
  const s = stage();
  expect(valueOf(await stashUserWork(s.git, 'm'))).toBeNull();
  expect(s.sh('stash', 'list')).toBe('');
});

test('line endings that a stash changes are kept beside it', async () => {
  const s = stage({ '.gitattributes': '* text=auto eol=lf\n' });
  s.write('w.txt', 'a\r\n');
  valueOf(await stashUserWork(s.git, 'm'));
  expect(s.sh('cat-file', '-s', 'refs/harness/stashed/m:w.txt')).toBe('3');
});

test.each([1, 2, 3])('a death at point %i loses nothing', async (at) => {
  for (const when of ['before', 'after'] as const) {
    const s = stage({ 'a.txt': 'a\n' });
    s.write('a.txt', 'mine\n');
    s.write('new.txt', 'new\n');
    const before = picture(s.root);
    await stashUserWork(s.gitWith({ io: dyingIo(at, when) }), 'm').catch((error: unknown) => {
      if (!(error instanceof Death)) throw error;
    });
    const commit = valueOf(await stashUserWork(s.git, 'm'));
    expect(s.sh('status', '--porcelain')).toBe('');
    s.sh('stash', 'apply', '-q', String(commit));
    expect(picture(s.root)).toEqual(before);
  }
});

test('old locks go, young ones and those of the harness stay', () => {
  const s = stage();
  const at = (path: string) => join(s.git.gitDir, path);
  const make = (path: string, seconds: number) => {
    s.write(`.git/${path}`, '');
    utimesSync(at(path), seconds, seconds);
    return at(path);
  };
  const old = [make('index.lock', 100), make('refs/heads/main.lock', 100), make('harness/git/index-x', 100)];
  const kept = [make('HEAD.lock', 300), make('harness/run.lock', 100), make('worktrees/x/index.lock', 100)];
  expect([...sweepLocks(s.git, 200_000)].sort()).toEqual(old.sort());
  for (const path of kept) expect(readFileSync(path, 'utf8')).toBe('');
  writeFileSync(at('index.lock'), '');
  expect(sweepLocks(s.git, 200_000)).toEqual([]);
});

test('while a person’s git is at work here no lock of the repository goes, however old; those of the harness do', async () => {
  const s = stage();
  s.sh('commit', '-q', '--allow-empty', '-m', 'first');
  const waiting = join(s.git.gitDir, 'waiting');
  const editor = `sh -c 'touch "${waiting}"; exec sleep 60'`;
  const env = { ...s.env, GIT_EDITOR: editor };
  const commit = spawn('git', ['commit', '--allow-empty', '-a'], { cwd: s.root, env, detached: true, stdio: 'ignore' });
  try {
    await vi.waitUntil(() => existsSync(waiting), { timeout: 10_000, interval: 5 });
    for (const path of ['refs/heads/main.lock', 'harness/git/index-x']) {
      s.write(`.git/${path}`, '');
      utimesSync(join(s.git.gitDir, path), 100, 100);
    }
    expect(sweepLocks(s.git, Date.now() + 60_000)).toEqual([join(s.git.gitDir, 'harness/git/index-x')]);
    expect(existsSync(join(s.git.gitDir, 'index.lock'))).toBe(true);
  } finally {
    if (commit.pid !== undefined) process.kill(-commit.pid, 'SIGKILL');
  }
});
