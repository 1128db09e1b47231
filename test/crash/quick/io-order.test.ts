// What Io promises, by its system calls: no file has its name before its bytes are on the disk, and no name is
// relied upon before its folder is on the disk. So what was not yet durable at a power failure is a call that never returned.
import type * as Fs from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { realIo } from '../../../src/host/io.ts';

const made = vi.hoisted(() => ({ calls: [] as string[], names: new Map<number, string>() }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>();
  const last = (path: unknown): string =>
    String(path)
      .split('/')
      .at(-1)!
      .replace(/\.\d+\.tmp$/, '.tmp');
  const openSync: typeof real.openSync = (path, ...more) => {
    const file = real.openSync(path, ...more);
    made.names.set(file, last(path));
    return file;
  };
  const writeFileSync = (file: number, text: string): void => {
    made.calls.push(`write ${made.names.get(file)}`);
    real.writeFileSync(file, text);
  };
  const fsyncSync = (file: number): void => {
    made.calls.push(`sync ${made.names.get(file)}`);
    real.fsyncSync(file);
  };
  const renameSync = (from: string, to: string): void => {
    made.calls.push(`rename ${last(from)} ${last(to)}`);
    real.renameSync(from, to);
  };
  return { ...real, openSync, writeFileSync, fsyncSync, renameSync };
});

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'io-order-')), 'f');
  made.calls.length = 0;
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

test('a file that is replaced: bytes, sync, name, sync of the folder', () => {
  realIo().replace(join(folder, 'a'), 'text');
  expect(made.calls).toEqual(['write a.tmp', 'sync a.tmp', 'rename a.tmp a', 'sync f']);
});

test('a file that may be lost is replaced as a whole, and not waited for', () => {
  realIo().replace(join(folder, 'a'), 'text', 'may-be-lost');
  expect(made.calls).toEqual(['write a.tmp', 'rename a.tmp a']);
});

test('among several files those that may be lost are not waited for, the others are, with the folder', () => {
  const text = 'text';
  realIo().replaceAll([
    { path: join(folder, 'a'), text },
    { path: join(folder, 'b'), text, how: 'may-be-lost' },
    { path: join(folder, 'g/c'), text, how: 'may-be-lost' },
  ]);
  expect(made.calls).toEqual([
    'write a.tmp',
    'write b.tmp',
    'write c.tmp',
    'sync a.tmp',
    'rename a.tmp a',
    'rename b.tmp b',
    'sync f',
    'rename c.tmp c',
  ]);
});

test('a line that is appended: bytes, sync, and of a new file the folder too', () => {
  const io = realIo();
  io.append(join(folder, 'a'), 'one\n');
  io.append(join(folder, 'a'), 'two\n');
  expect(made.calls).toEqual(['write a', 'sync a', 'sync f', 'write a', 'sync a']);
});

test('a line that may be lost is durable with the next: it is not waited for, but for the name of a new file', () => {
  const io = realIo();
  io.append(join(folder, 'a'), 'one\n', 'may-be-lost');
  io.append(join(folder, 'a'), 'two\n');
  io.append(join(folder, 'a'), 'three\n', 'may-be-lost');
  expect(made.calls).toEqual(['write a', 'sync f', 'write a', 'sync a', 'write a']);
});

test('several files: all bytes are on the disk before the first name, the folder after the last', () => {
  const text = 'text';
  realIo().replaceAll(['a', 'b'].map((name) => ({ path: join(folder, name), text })));
  expect(made.calls).toEqual([
    'write a.tmp',
    'write b.tmp',
    'sync a.tmp',
    'sync b.tmp',
    'rename a.tmp a',
    'rename b.tmp b',
    'sync f',
  ]);
});
