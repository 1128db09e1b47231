// File sizes: the record's form, what is warned about, and that unchanged files are not read.
import { Buffer } from 'node:buffer';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realIo } from '../host/io.ts';
import { countLines, linesIn, linesOf, nextSizes, readSizes, sizeWarnings, writeSizes } from './sizes.ts';

describe('the record', () => {
  test('keeps the session a file was first seen in, and drops files that are gone', () => {
    const first = nextSizes(null, 1, { 'old.ts': 10, 'gone.ts': 5 });
    expect(first.files['old.ts']).toEqual({ lines: 10, session_added: 0 });
    const second = nextSizes(first, 4, { 'old.ts': 20, 'new.ts': 7 });
    expect(second).toEqual({
      session: 4,
      files: { 'new.ts': { lines: 7, session_added: 4 }, 'old.ts': { lines: 20, session_added: 0 } },
    });
  });

  test('does not depend on the order in which files are found', () => {
    const files = fc.dictionary(fc.string({ minLength: 1 }), fc.nat(900));
    fc.assert(
      fc.property(files, (lines) => {
        const turned = Object.fromEntries(Object.entries(lines).reverse());
        expect(JSON.stringify(nextSizes(null, 2, turned))).toBe(JSON.stringify(nextSizes(null, 2, lines)));
      }),
    );
  });
});

describe('warnings', () => {
  const before = nextSizes(null, 2, { 'a.ts': 100, 'b.ts': 100 });
  test('name files above the limit, not at it', () => {
    const now = nextSizes(before, 3, { 'a.ts': 100, 'b.ts': 100, 'at.ts': 500, 'over.ts': 501 });
    expect(sizeWarnings(before, now, 500)).toEqual([{ kind: 'too-long', file: 'over.ts', lines: 501, max: 500 }]);
  });
  test('name files that grew by more than fifty lines a session', () => {
    const now = nextSizes(before, 4, { 'a.ts': 200, 'b.ts': 201 });
    expect(sizeWarnings(before, now, 500)).toEqual([{ kind: 'growing', file: 'b.ts', grown: 101, sessions: 2 }]);
  });
});

describe('counting', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'harness-sizes-'));
    mkdirSync(join(root, 'src'));
    writeFileSync(join(root, 'src/a.ts'), 'one\ntwo\nthree');
    writeFileSync(join(root, 'logo.png'), Buffer.from([137, 80, 0, 10, 10]));
    symlinkSync('src/a.ts', join(root, 'link.ts'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test('sees text files and passes over data, links and what is gone', () => {
    const files = ['src/a.ts', 'logo.png', 'link.ts', 'gone.ts'].map((path) => ({ path, stamp: '1' }));
    expect(linesOf(countLines(root, files, {}))).toEqual({ 'src/a.ts': 3 });
  });

  test('reads only what changed', () => {
    const reads: string[] = [];
    const read = (path: string) => {
      reads.push(path);
      return Buffer.from('x\n');
    };
    const first = countLines(
      '/r',
      [
        { path: 'a', stamp: '1' },
        { path: 'b', stamp: '1' },
      ],
      {},
      read,
    );
    reads.length = 0;
    const second = countLines(
      '/r',
      [
        { path: 'a', stamp: '1' },
        { path: 'b', stamp: '2' },
      ],
      first,
      read,
    );
    expect(reads).toEqual(['/r/b']);
    expect(linesOf(second)).toEqual({ a: 1, b: 1 });
  });

  test('counts as an editor does', () => {
    expect(['', 'a', 'a\n', 'a\nb', '\n\n'].map((t) => linesIn(Buffer.from(t)))).toEqual([0, 1, 1, 2, 2]);
  });

  test('the record is read as it was written, and anything else is refused', () => {
    const path = join(root, 'file_sizes.json');
    expect(readSizes(path)).toEqual({ ok: true, value: null });
    const sizes = nextSizes(null, 3, { 'src/a.ts': 3 });
    writeSizes(realIo(), path, sizes);
    expect(readSizes(path)).toEqual({ ok: true, value: sizes });
    writeFileSync(path, '{"session":1}');
    const read = readSizes(path);
    expect(read.ok ? null : read.failure.reason).toBe('state-unreadable');
  });
});
