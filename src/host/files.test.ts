// Reading files: present, missing, and unreadable.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { lastLines, listFolder, readText, sha256 } from './files.ts';

const dir = mkdtempSync(join(tmpdir(), 'files-'));
afterAll(() => rmSync(dir, { recursive: true }));
const put = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};

describe('a text', () => {
  test('is read unchanged, byte order mark and line ends included', () => {
    expect(readText(put('a', '\uFEFFgrün\r\n'))).toEqual({ ok: true, value: '\uFEFFgrün\r\n' });
    expect(readText(put('empty', ''))).toEqual({ ok: true, value: '' });
  });

  test('is read through a link', () => {
    symlinkSync(put('b', 'b'), join(dir, 'link'));
    expect(readText(join(dir, 'link'))).toEqual({ ok: true, value: 'b' });
  });

  test('that is missing is null', () => {
    expect(readText(join(dir, 'nowhere'))).toEqual({ ok: true, value: null });
    expect(readText(join(put('c', 'c'), 'below'))).toEqual({ ok: true, value: null });
  });

  test.each([
    ['a folder', 'not-a-file', (path: string) => mkdirSync(path)],
    ['a pipe, which is not waited for', 'not-a-file', (path: string) => execFileSync('mkfifo', [path])],
    ['a device', 'not-a-file', (path: string) => symlinkSync('/dev/zero', path)],
    ['a link to itself', 'ELOOP', (path: string) => symlinkSync(path, path)],
    ['bytes that are no text', 'not-utf-8', (path: string) => writeFileSync(path, Uint8Array.of(0x61, 0xff))],
    [
      'something monstrous',
      'too-large',
      (path: string) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 27);
      },
    ],
  ])('cannot be %s', (name, code, make) => {
    const file = join(dir, name);
    make(file);
    expect(readText(file)).toMatchObject({
      ok: false,
      failure: { reason: 'file-unreadable', params: { file, code }, at: { file } },
    });
  });
});

describe('a folder', () => {
  test('is listed by name, with the kind of each', () => {
    const folder = join(dir, 'folder');
    mkdirSync(join(folder, 'b'), { recursive: true });
    put('folder/c', '');
    put('folder/B', '');
    symlinkSync('nowhere', join(folder, 'a'));
    execFileSync('mkfifo', [join(folder, 'd')]);
    expect(listFolder(folder)).toEqual({
      ok: true,
      value: [
        { name: 'B', kind: 'file' },
        { name: 'a', kind: 'link' },
        { name: 'b', kind: 'folder' },
        { name: 'c', kind: 'file' },
        { name: 'd', kind: 'other' },
      ],
    });
  });

  test('that is missing is empty', () => {
    expect(listFolder(join(dir, 'nowhere'))).toEqual({ ok: true, value: [] });
  });
});

test('a hash is the same for text and for bytes', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect(sha256('')).toBe(empty);
  expect(sha256('grün')).toBe(sha256(new TextEncoder().encode('grün')));
});

test('the last lines of a file are whole lines of its end, no more than asked for, and all of a shorter one', () => {
  const file = join(dir, 'log');
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 9 }), { maxLength: 9 }),
      fc.nat({ max: 60 }),
      (lines, most) => {
        const text = lines.map((line) => `${line.replaceAll('\n', '')}\n`).join('');
        writeFileSync(file, text);
        const last = lastLines(file, most);
        expect(text.endsWith(last)).toBe(true);
        expect(Buffer.byteLength(last)).toBeLessThanOrEqual(most);
        if (Buffer.byteLength(text) <= most) expect(last).toBe(text);
        // Another line would be too much.
        const before = text.slice(0, text.length - last.length);
        const line = before.slice(before.lastIndexOf('\n', before.length - 2) + 1);
        if (before !== '') expect(Buffer.byteLength(line + last)).toBeGreaterThan(most);
      },
    ),
  );
});
