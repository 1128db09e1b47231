// What is swept and what is not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realIo } from './io.ts';
import { sweepBelow, sweepBeside } from './leftovers.ts';

const NOBODY = 2 ** 22 + 1;
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'leftovers-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const put = (path: string): void => {
  mkdirSync(join(dir, path, '..'), { recursive: true });
  writeFileSync(join(dir, path), '');
};
const left = (): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();

test('beside a file only its own leftovers go', () => {
  for (const path of [`a.json`, `a.json.${NOBODY}.tmp`, `b.json.${NOBODY}.tmp`, 'a.json.old.tmp']) put(path);
  sweepBeside(realIo(), [join(dir, 'a.json'), join(dir, 'gone/c.json')]);
  expect(left()).toEqual(['a.json', 'a.json.old.tmp', `b.json.${NOBODY}.tmp`]);
});

test('in a folder of our own every leftover goes, but for folders that are passed by', () => {
  for (const path of [`x/a.${NOBODY}.tmp`, `x/home/b.${NOBODY}.tmp`, `c.${process.pid}.tmp`, 'x/d']) put(path);
  sweepBelow(realIo(), dir, ['home']);
  expect(left()).toEqual(['x/d', `x/home/b.${NOBODY}.tmp`]);
});

test('what a living process is writing is left to it', () => {
  put(`a.${process.ppid}.tmp`);
  sweepBelow(realIo(), dir);
  expect(left()).toEqual([`a.${process.ppid}.tmp`]);
});

test('what somebody wrote who had the number of a living process before it, or who is dead and not looked after yet, goes', async () => {
  // The shell becomes a program that looks after no child: the one that ended stays as a zombie.
  const shell = spawn('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [text] = (await once(shell.stdout, 'data')) as [Buffer];
    const [zombie, young] = [`a.${text.toString().trim()}.tmp`, `b.${shell.pid}.tmp`];
    for (const path of [zombie, young]) put(path);
    await expect.poll(() => (sweepBelow(realIo(), dir), left())).toEqual([young]);
    utimesSync(join(dir, young), 1_000, 1_000);
    sweepBelow(realIo(), dir);
    expect(left()).toEqual([]);
  } finally {
    shell.kill('SIGKILL');
  }
});
