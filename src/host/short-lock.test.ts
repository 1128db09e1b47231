// Short locks between real processes.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok } from '../model/result.ts';
import { acquireLock } from './lock.ts';
import { duringShortLock, underShortLock } from './short-lock.ts';

let dir = '';
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'lock-'))));
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs as a process of its own, with the functions of both kinds of lock at hand. */
const programOf = (lines: string): readonly string[] => [
  '--input-type=module',
  '-e',
  `const { acquireLock } = await import(${JSON.stringify(import.meta.resolve('./lock.ts'))});
   const { duringShortLock, underShortLock } = await import(${JSON.stringify(import.meta.resolve('./short-lock.ts'))});
   const dir = ${JSON.stringify(dir)};
   const owner = { pid: process.pid, startedAt: null, command: null, run: null };
   ${lines}`,
];

test('an owner that is killed leaves the file of the lock alone, and the next one has the lock at once', async () => {
  const lines = `acquireLock(dir, owner); void duringShortLock(dir, 'work-trees', () => new Promise(() => {}));
    setInterval(() => {}, 1000); setTimeout(() => console.log('both'), 0);`;
  const child = spawn(process.execPath, programOf(lines), { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const over = once(child, 'close');
  child.kill('SIGKILL');
  await over;
  expect(readdirSync(dir).toSorted()).toEqual(['lock.db', 'lock.json', 'work-trees.lock.db']);
  expect(underShortLock(dir, 'work-trees', () => ok('done'))).toEqual(ok('done'));
  const lock = acquireLock(dir, { pid: process.pid, startedAt: null, command: null, run: null });
  expect(lock).toMatchObject({ ok: true, value: { isInherited: true } });
  if (lock.ok) lock.value.release();
});

test('a program that exits in the middle of a change leaves the file of the lock alone', () => {
  const lines = `void duringShortLock(dir, 'work-trees', () => new Promise(() => {})); setTimeout(() => process.exit(0), 0);`;
  expect(spawnSync(process.execPath, programOf(lines), { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(dir)).toEqual(['work-trees.lock.db']);
});

test('changes of one name are performed one after the other, in this process and between processes', async () => {
  const lines = `await Promise.all([1, 2, 3].map(() => duringShortLock(dir, 'count', async () => {
      const { readFileSync, writeFileSync } = await import('node:fs');
      const now = (() => { try { return Number(readFileSync(dir + '/n', 'utf8')); } catch { return 0; } })();
      await new Promise((done) => setImmediate(done));
      writeFileSync(dir + '/n', String(now + 1));
    })));
    console.log((await import('node:fs')).readFileSync(dir + '/n', 'utf8'));`;
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, programOf(lines), { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const said = children.map(async (child) => {
    let text = '';
    for await (const part of child.stdout) text += String(part);
    return Number(text);
  });
  const most = Math.max(...(await Promise.all(said)));
  expect(most).toBe(9);
  expect(await duringShortLock(dir, 'count', () => Promise.resolve('mine'))).toEqual(ok('mine'));
});
