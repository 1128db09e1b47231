// What a box makes of the folders of this machine: which folders of git it closes, what it shows of a home, which programs it starts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { gitFolders } from './git-folders.ts';
import { kernelMounts, kernelMountsOfAgents } from './kernel-settings.ts';
import { findProgram, type BoxSettings } from './level.ts';
import { homeMounts } from './visible-paths.ts';

let top = '';
beforeEach(() => (top = realpathSync(mkdtempSync(join(tmpdir(), 'box-settings-')))));
afterEach(() => rmSync(top, { recursive: true }));

const settings = (more: Partial<BoxSettings>): BoxSettings => ({
  root: join(top, 'root'),
  at: join(top, 'root'),
  shown: [],
  temporary: join(top, 't'),
  notes: join(top, 'notes'),
  hidden: [],
  sockets: [],
  home: null,
  path: '',
  untrusted: [],
  ...more,
});

test('the folder that linked work trees share is closed too', () => {
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-C', join(top, 'main'), ...args], { stdio: 'pipe' });
  mkdirSync(join(top, 'main'));
  git('init', '-q');
  git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
  git('worktree', 'add', '-q', '--detach', join(top, 'linked'));
  expect(gitFolders(join(top, 'main'))).toEqual({ entry: join(top, 'main/.git'), elsewhere: [], own: null });
  expect(gitFolders(join(top, 'linked'))).toEqual({
    entry: join(top, 'linked/.git'),
    elsewhere: [join(top, 'main/.git/worktrees/linked'), join(top, 'main/.git')],
    own: null,
  });
  expect(gitFolders(top)).toEqual({ entry: null, elsewhere: [], own: null });
});

test('in a folder without git, the repository of the harness is closed', () => {
  mkdirSync(join(top, '.harness-engine/git'), { recursive: true });
  expect(gitFolders(top)).toEqual({ entry: null, elsewhere: [], own: join(top, '.harness-engine') });
});

test('tools and open folders of a home are shown, and no other dotfile', () => {
  const home = join(top, 'home');
  for (const path of ['code/a', '.ssh', '.nvm/versions', '.cargo/bin', '.odd/tool/bin', '.local/bin'])
    mkdirSync(join(home, path), { recursive: true });
  writeFileSync(join(home, '.netrc'), '');
  const path = [join(home, '.odd/tool/bin'), '/usr/bin'].join(delimiter);
  const mounts = homeMounts(settings({ home, path }));
  expect(mounts.slice(0, 2)).toEqual(['--tmpfs', home]);
  const shown = mounts.filter((_, n) => n > 2 && mounts[n - 2] === '--ro-bind-try').sort();
  expect(shown).toEqual(['.cargo/bin', '.local/bin', '.nvm', '.odd/tool', 'code'].map((name) => join(home, name)));
});

test('no program is started from where agents write, nor from a relative folder', () => {
  const root = join(top, 'root');
  for (const folder of [join(root, 'bin'), join(top, 'bin')]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'bwrap'), '');
  }
  const path = ['bin', join(root, 'bin'), join(top, 'bin')].join(delimiter);
  expect(findProgram('bwrap', settings({ root, path }))).toBe(join(top, 'bin/bwrap'));
  expect(findProgram('bwrap', settings({ root, path: join(root, 'bin') }))).toBeNull();
  symlinkSync(join(root, 'bin/bwrap'), join(top, 'bin/srt'));
  expect(findProgram('srt', settings({ root, path: join(top, 'bin') }))).toBeNull();
  expect(findProgram('bwrap', settings({ root: join(top, 'copy'), untrusted: [root], path }))).toBe(
    join(top, 'bin/bwrap'),
  );
});

test('settings of the kernel are closed for every user, for agents where they run as root', () => {
  const { getuid } = process;
  onTestFinished(() => void (process.getuid = getuid));
  const closed = (uid: number): readonly (readonly string[])[] => {
    process.getuid = () => uid;
    return [kernelMounts(), kernelMountsOfAgents()].map((mounts) => mounts.filter((path) => path === '/proc/sys'));
  };
  expect(closed(0)).toEqual([Array(2).fill('/proc/sys'), Array(2).fill('/proc/sys')]);
  expect(closed(1000)).toEqual([Array(2).fill('/proc/sys'), []]);
  expect(kernelMounts().filter((path) => /^\/proc\/(?:\d|self|net)/.test(path))).toEqual([]);
});
