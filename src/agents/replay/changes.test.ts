// The changes of a turn, applied byte for byte, and never outside the lane.
import { Buffer } from 'node:buffer';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RecordedChange } from './cassette.ts';
import { apply, contentOf, firstConflict, stateOf } from './changes.ts';

let around = '';
let lane = '';
beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'changes-'));
  lane = join(around, 'lane');
  mkdirSync(join(lane, 'src'), { recursive: true });
  writeFileSync(join(lane, 'src/old'), 'old\n', { mode: 0o644 });
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const OLD = stateOf('file', Buffer.from('old\n'));
const added = (path: string, text = 'x'): RecordedChange => ({ path, was: null, now: { mode: 'file', text } });
const bytes = Buffer.from([0xff, 0x00, 0xfe]);

test('files, programs, links and bytes of any kind are as recorded, and empty folders are removed', () => {
  const changes: readonly RecordedChange[] = [
    { path: 'src/old', was: OLD, now: null },
    { path: 'bin/run', was: null, now: { mode: 'executable', text: '#!/bin/sh\n' } },
    { path: 'link', was: null, now: { mode: 'link', text: 'bin/run' } },
    { path: 'deep/er/blob', was: null, now: contentOf('file', bytes) },
  ];
  expect(firstConflict(lane, changes)).toBeNull();
  apply(lane, changes);
  expect(existsSync(join(lane, 'src'))).toBe(false);
  expect(lstatSync(join(lane, 'bin/run')).mode & 0o111).toBe(0o111);
  expect(readlinkSync(join(lane, 'link'))).toBe('bin/run');
  expect(readFileSync(join(lane, 'deep/er/blob'))).toEqual(bytes);
});

test('a file can become a folder, a folder a file, a link a file, a program a text', () => {
  symlinkSync('old', join(lane, 'src/link'));
  apply(lane, [
    { path: 'src/old', was: OLD, now: null },
    added('src/old/inside'),
    { path: 'src/link', was: stateOf('link', Buffer.from('old')), now: { mode: 'file', text: 'no link\n' } },
  ]);
  expect(readFileSync(join(lane, 'src/old/inside'), 'utf8')).toBe('x');
  expect(lstatSync(join(lane, 'src/link')).isFile()).toBe(true);
  const inside = stateOf('file', Buffer.from('x'));
  const back: readonly RecordedChange[] = [
    { path: 'src/old/inside', was: inside, now: null },
    added('src/old', 'old\n'),
  ];
  expect(firstConflict(lane, back)).toBeNull();
  apply(lane, back);
  expect(readFileSync(join(lane, 'src/old'), 'utf8')).toBe('old\n');
});

describe('a change is not made', () => {
  test.each(['../out', '/etc/x', 'a/../../out', '.git/hooks/post-commit', 'sub/.GIT/config', 'a//b', './a', ''])(
    'at %j',
    (path) => {
      expect(firstConflict(lane, [added(path)])).toBe(path);
    },
  );
  test('where the file differs, is missing, or exists already', () => {
    writeFileSync(join(lane, 'src/old'), 'newer\n');
    expect(firstConflict(lane, [{ path: 'src/old', was: OLD, now: null }])).toBe('src/old');
    expect(firstConflict(lane, [{ path: 'src/gone', was: OLD, now: null }])).toBe('src/gone');
    expect(firstConflict(lane, [added('src/old')])).toBe('src/old');
  });
  test('through a link that leads out of the lane', () => {
    symlinkSync(around, join(lane, 'out'));
    expect(() => apply(lane, [added('out/secret')])).toThrow(/leads through a link/);
    expect(() => apply(lane, [{ path: 'out/lane', was: null, now: null }])).toThrow(/leads through a link/);
    expect(existsSync(join(around, 'secret'))).toBe(false);
  });
});
