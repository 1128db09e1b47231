// The real port: what is on disk after each call.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { failureOfSystem } from './files.ts';
import { named, realIo } from './io.ts';

const dir = mkdtempSync(join(tmpdir(), 'io-'));
afterAll(() => rmSync(dir, { recursive: true }));
const io = realIo();

test('text is appended, and the folder is created', () => {
  const path = join(dir, 'a/b/journal');
  io.append(path, 'one\n');
  io.append(path, 'zwölf\n');
  expect(readFileSync(path, 'utf8')).toBe('one\nzwölf\n');
});

test('a file is replaced as a whole, and no temporary file is left', () => {
  const path = join(dir, 'c/state.json');
  io.replace(path, 'a long first version');
  io.replace(path, 'short');
  expect(readFileSync(path, 'utf8')).toBe('short');
  expect(readdirSync(join(dir, 'c'))).toEqual(['state.json']);
});

test('a script that is replaced can still be run', () => {
  const path = join(dir, 'run.sh');
  writeFileSync(path, 'old', { mode: 0o755 });
  io.replace(path, 'new');
  expect(statSync(path).mode & 0o777).toBe(0o755);
  io.replaceAll([{ path, text: 'newer' }]);
  expect(statSync(path).mode & 0o777).toBe(0o755);
});

test('a file or a folder is removed, whether it exists or not', () => {
  mkdirSync(join(dir, 'd'));
  writeFileSync(join(dir, 'd/file'), '');
  io.remove(join(dir, 'd'));
  io.remove(join(dir, 'd'));
  expect(existsSync(join(dir, 'd'))).toBe(false);
});

test('an effect returns its result', async () => {
  expect(await io.effect('count', () => Promise.resolve(7))).toBe(7);
});

test('a disk without room is named, though the system does not say which it is', () => {
  const refused = (error: unknown) => failureOfSystem(error)?.params ?? null;
  try {
    writeFileSync('/dev/full', 'text');
    expect.unreachable();
  } catch (error) {
    expect([refused(error), refused(named(error, '/disk/file'))]).toEqual([
      null,
      { file: '/disk/file', code: 'ENOSPC', full: '/disk/file' },
    ]);
  }
});
