import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realIo } from '../host/io.ts';
import { keepIgnored, putIgnoredBack } from './ignored-copies.ts';

const io = realIo();
let top = '';
let root = '';
let into = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'ignored-'));
  [root, into] = [join(top, 'tree'), join(top, 'private')];
  mkdirSync(root);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const read = (path: string): string | null =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
const IGNORED = ['.env', 'data/', 'node_modules/', 'debug.log', 'dist/'];
const keep = (): void => keepIgnored(io, root, IGNORED, into);
const putBack = (): readonly string[] => putIgnoredBack(io, root, into);

test('what an agent deleted is there again, with its mode; what it changed or made stays, and nothing is done twice', () => {
  write('.env', 'A=1\n');
  chmodSync(join(root, '.env'), 0o600);
  write('data/a/b.db', 'mine');
  write('data/other', 'mine');
  for (const path of ['node_modules/x.js', 'debug.log', 'dist/app.js']) write(path, 'made again');
  keep();
  for (const path of ['.env', 'data/a', 'node_modules', 'debug.log', 'dist'])
    rmSync(join(root, path), { recursive: true });
  write('data/other', 'of the agent');
  expect(putBack()).toEqual(['.env', 'data/a/b.db']);
  expect([read('.env'), read('data/a/b.db'), read('data/other')]).toEqual(['A=1\n', 'mine', 'of the agent']);
  expect(statSync(join(root, '.env')).mode & 0o777).toBe(0o600);
  expect([read('node_modules/x.js'), read('debug.log'), read('dist/app.js')]).toEqual([null, null, null]);
  rmSync(join(root, '.env'));
  expect([putBack(), read('.env')]).toEqual([[], null]);
});

test('after a crash the next session puts it back before it looks; what a person deleted between sessions stays deleted', () => {
  write('.env', 'A=1\n');
  keep();
  rmSync(join(root, '.env'));
  keep();
  expect(read('.env')).toBe('A=1\n');
  putBack();
  rmSync(join(root, '.env'));
  keep();
  expect([putBack(), read('.env')]).toEqual([[], null]);
});

test('nothing is written through a link or over a file that took the place of a folder', () => {
  write('data/a', 'mine');
  keep();
  rmSync(join(root, 'data'), { recursive: true });
  symlinkSync(top, join(root, 'data'));
  expect(putBack()).toEqual([]);
  expect(existsSync(join(top, 'a'))).toBe(false);
});

test('large files are not kept', () => {
  write('.env', 'x'.repeat(1024 * 1024 + 1));
  keep();
  rmSync(join(root, '.env'));
  expect(putBack()).toEqual([]);
});
