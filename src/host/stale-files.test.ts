// Which stale files are removed and which stay.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realIo } from './io.ts';
import { removeStaleBelow, removeStaleNextTo } from './stale-files.ts';

/** Larger than any pid. */
const NO_PROCESS = 2 ** 22 + 1;
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stale-files-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const put = (path: string): void => {
  mkdirSync(join(dir, path, '..'), { recursive: true });
  writeFileSync(join(dir, path), '');
};
const remaining = (): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();

test('next to a file only its own stale files are removed', () => {
  for (const path of [`a.json`, `a.json.${NO_PROCESS}.tmp`, `b.json.${NO_PROCESS}.tmp`, 'a.json.old.tmp']) put(path);
  removeStaleNextTo(realIo(), [join(dir, 'a.json'), join(dir, 'gone/c.json')]);
  expect(remaining()).toEqual(['a.json', 'a.json.old.tmp', `b.json.${NO_PROCESS}.tmp`]);
});

test('in a folder of the harness every stale file is removed, except in excluded folders', () => {
  for (const path of [`x/a.${NO_PROCESS}.tmp`, `x/home/b.${NO_PROCESS}.tmp`, `c.${process.pid}.tmp`, 'x/d']) put(path);
  removeStaleBelow(realIo(), dir, ['home']);
  expect(remaining()).toEqual(['x/d', `x/home/b.${NO_PROCESS}.tmp`]);
});

test('a file that a live process is writing stays', () => {
  put(`a.${process.ppid}.tmp`);
  removeStaleBelow(realIo(), dir);
  expect(remaining()).toEqual([`a.${process.ppid}.tmp`]);
});

test('a file of a zombie, or of a process whose pid another process has now, is removed', async () => {
  // The shell becomes a program that collects no children: the one that has exited stays a zombie.
  const shell = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [text] = await once(shell.stdout, 'data');
    const [zombie, young] = [`a.${String(text).trim()}.tmp`, `b.${shell.pid}.tmp`];
    for (const path of [zombie, young]) put(path);
    await expect.poll(() => (removeStaleBelow(realIo(), dir), remaining())).toEqual([young]);
    utimesSync(join(dir, young), 1_000, 1_000);
    removeStaleBelow(realIo(), dir);
    expect(remaining()).toEqual([]);
  } finally {
    shell.kill('SIGKILL');
  }
});
