import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { factOf, isCurrent, isRacy, type SourceFact, type SourceKind } from './sources.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sources-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** In a folder with `file` (`text`), `link` to it, and `folder`. */
const CHANGES: readonly (readonly [string, SourceKind, string, (dir: string) => void, boolean])[] = [
  ['other text', 'text', 'file', (dir) => writeFileSync(join(dir, 'file'), 'longer text'), true],
  ['a time that is put back', 'text', 'file', (dir) => utimesSync(join(dir, 'file'), 1, 1), true],
  ['text behind a link', 'text', 'link', (dir) => writeFileSync(join(dir, 'file'), 'longer text'), true],
  ['text behind a link', 'link', 'link', (dir) => writeFileSync(join(dir, 'file'), 'longer text'), false],
  ['a file that is removed', 'text', 'file', (dir) => rmSync(join(dir, 'file')), true],
  ['a file that appears', 'text', 'none', (dir) => writeFileSync(join(dir, 'none'), ''), true],
  ['a file that appears below one that is no folder', 'text', 'file/none', () => undefined, false],
  ['a new entry', 'whole', 'folder', (dir) => writeFileSync(join(dir, 'folder', 'new'), ''), true],
  ['a new entry', 'text', 'folder', (dir) => writeFileSync(join(dir, 'folder', 'new'), ''), false],
  ['other text', 'presence', 'file', (dir) => writeFileSync(join(dir, 'file'), 'longer text'), false],
  ['a file that is removed', 'presence', 'file', (dir) => rmSync(join(dir, 'file')), true],
  ['a link that is removed', 'place', 'link', (dir) => rmSync(join(dir, 'link')), true],
];
test.each(CHANGES)('%s, seen as %s of %s', (_, kind, name, change, isSeen) => {
  const dir = folder();
  writeFileSync(join(dir, 'file'), 'text');
  symlinkSync('file', join(dir, 'link'));
  mkdirSync(join(dir, 'folder'));
  utimesSync(join(dir, 'folder'), 1, 1);
  const path = join(dir, name);
  const before = factOf(kind, path);
  change(dir);
  expect(factOf(kind, path) !== before).toBe(isSeen);
});

test('a path that cannot be judged is never current', () => {
  const path = join(folder(), 'x'.repeat(300)); // ENAMETOOLONG
  expect(factOf('text', path)).toBe(null);
  expect(isCurrent({ list: [{ kind: 'text', path, fact: '' }], from: 0, until: null }, 1)).toBe(false);
});

test('an answer with an end holds from when it was made until then', () => {
  const at = (now: number): boolean => isCurrent({ list: [], from: 100, until: 200 }, now);
  expect([99, 100, 199, 200].map(at)).toEqual([false, true, true, false]);
  expect([99, 100].map((now) => isCurrent({ list: [], from: 100, until: null }, now))).toEqual([false, true]);
});

const S = 1_000_000_000n;
const source = (ctime: bigint, mtime = ctime, dev = 1n): SourceFact => ({
  kind: 'text',
  path: '/a',
  fact: `${dev}:2:3:${mtime}:${ctime}`,
});
test.each<[string, SourceFact, boolean]>([
  ['long ago', source(10n * S + 1n), false],
  ['just now', source(100n * S - 50_000_000n), true],
  ['a moment ago, by a fine clock', source(100n * S - 500_000_000n), false],
  ['a moment ago, in whole seconds', source(99n * S), true],
  ['a moment ago, on another disk', source(100n * S - 500_000_000n, undefined, 7n), true],
  ['long ago, with a time in the future', source(10n * S + 1n, 900n * S), true],
  ['never: it is not there', { kind: 'text', path: '/a', fact: '' }, false],
])('changed %s', (_, one, isDoubtful) => {
  expect(isRacy(one, 100n * S, { dev: 1n, from: 100n * S })).toBe(isDoubtful);
});

test('where the clock of the disk is behind, its own time counts', () => {
  const changed = source(90n * S + 1n);
  expect(isRacy(changed, 100n * S, { dev: 1n, from: 100n * S })).toBe(false);
  expect(isRacy(changed, 100n * S, { dev: 1n, from: 90n * S })).toBe(true);
});
