// What a process that was killed left in the temporary folder goes, and nothing else.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeOwnFolder, sweepOwnFolders, temporaryFolders, temporaryPrefix } from './temporary-folders.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'folders-'));
  vi.stubEnv('TMPDIR', dir);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

const ended = (): number => spawnSync('true').pid;
const make = (...names: readonly string[]): void => {
  for (const name of names) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'file'), 'text');
  }
};

test('the folders of a process that has ended go, those of a live one and of this one stay', () => {
  const live = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void live.kill('SIGKILL'));
  const gone = ended();
  const kept = [`harness-rerun-${live.pid}-abcdef`, `harness-pipes-${process.pid}-abcdef`];
  make(...kept, ...['pipes', 'evidence', 'rerun', 'ci'].map((kind) => `harness-${kind}-${gone}-abcdef`));
  sweepOwnFolders();
  expect(readdirSync(dir).toSorted()).toEqual(kept.toSorted());
});

test('what has another name stays', () => {
  const gone = ended();
  const names = [
    `harness-demo-${gone}-abcdef`,
    `harness-pipes-abcdef`,
    `harness-ci-${gone}`,
    `harness-rerun-${gone}-abc-def`,
    `my-harness-ci-${gone}-abcdef`,
    'notes',
  ];
  make(...names);
  sweepOwnFolders();
  expect(readdirSync(dir).toSorted()).toEqual(names.toSorted());
});

test("another user's folder stays, and stops nothing", () => {
  const name = `harness-pipes-${ended()}-abcdef`;
  make(name);
  const { getuid } = process;
  process.getuid = () => 424_242;
  try {
    sweepOwnFolders();
  } finally {
    process.getuid = getuid;
  }
  expect(existsSync(join(dir, name))).toBe(true);
});

test('a folder of a work tree is found by the path of its tree', () => {
  const [mine, other] = [temporaryPrefix('box', '/work/mine'), temporaryPrefix('box', '/work/other')];
  const made = [mkdtempSync(mine), mkdtempSync(mine)];
  mkdtempSync(other);
  mkdtempSync(temporaryPrefix('canary', '/work/mine'));
  makeOwnFolder('ci');
  expect(temporaryFolders('box', ['/work/mine']).toSorted()).toEqual(made.toSorted());
});

test('a link of such a name stops nothing, wherever it leads', () => {
  const [mine, gone] = [join(dir, 'mine'), ended()];
  make('mine');
  symlinkSync(mine, join(dir, `harness-ci-${gone}-abcdef`));
  symlinkSync(`harness-rerun-${gone}-abcdef`, join(dir, `harness-rerun-${gone}-abcdef`));
  sweepOwnFolders();
  expect(existsSync(join(mine, 'file'))).toBe(true);
});

test('a folder of this process is its own until it is removed', () => {
  const made = makeOwnFolder('evidence');
  sweepOwnFolders();
  expect(readdirSync(dir).map((name) => join(dir, name))).toEqual([made]);
});
