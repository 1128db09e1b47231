// What is at a path: something, a link, or nothing.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exactStatsOf, statsOf, targetStatsOf } from './paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'paths-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('nothing is at a path that is missing or below a file', () => {
  writeFileSync(join(folder, 'file'), '');
  for (const path of ['missing', 'missing/file', 'file/below'])
    expect([statsOf, exactStatsOf, targetStatsOf].map((look) => look(join(folder, path)))).toEqual([null, null, null]);
  expect(() => statsOf(join(folder, 'x'.repeat(300)))).toThrow('ENAMETOOLONG');
});

test('a link is a link, or what it leads to', () => {
  mkdirSync(join(folder, 'there'));
  symlinkSync('there', join(folder, 'link'));
  symlinkSync('nowhere', join(folder, 'broken'));
  expect(statsOf(join(folder, 'link'))?.isSymbolicLink()).toBe(true);
  expect(targetStatsOf(join(folder, 'link'))?.isDirectory()).toBe(true);
  expect(statsOf(join(folder, 'broken'))?.isSymbolicLink()).toBe(true);
  expect(targetStatsOf(join(folder, 'broken'))).toBeNull();
});
