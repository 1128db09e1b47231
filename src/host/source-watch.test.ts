import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readRegular, readText, tailOf } from './files.ts';
import { covered, readClock, watchSources } from './source-watch.ts';
import type { Sources } from './sources.ts';

function folder(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), 'source-watch-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  fs.writeFileSync(join(dir, 'file'), 'text');
  return dir;
}

async function sourcesOf(work: () => unknown): Promise<Sources | null> {
  const watch = watchSources();
  await work();
  return watch.end();
}
const listed = (sources: Sources | null, dir: string): readonly string[] | null =>
  sources?.list.map(({ kind, path }) => `${kind} ${path.slice(dir.length + 1)}`).filter((one) => !one.includes('..')) ??
  null;

test.each<[string, (dir: string) => unknown, readonly string[]]>([
  ['a text', (dir) => fs.readFileSync(join(dir, 'file')), ['text file']],
  ['a text by its address', (dir) => fs.readFileSync(pathToFileURL(join(dir, 'file'))), ['text file']],
  [
    'a text by our own readers',
    (dir) => [readText(join(dir, 'file')), tailOf(join(dir, 'file'), 2)],
    ['text file', 'presence file'],
  ],
  ['a file that is no link', (dir) => readRegular(join(dir, 'file'), 9), ['link file']],
  ['what is not there', (dir) => readText(join(dir, 'none')), ['text none']],
  ['a folder', (dir) => fs.readdirSync(dir), ['whole ']],
  ['whether it is there', (dir) => fs.existsSync(join(dir, 'none')), ['presence none']],
  ['where it is', (dir) => fs.realpathSync(join(dir, 'file')), ['place file']],
  ['twice the same', (dir) => [1, 2].map(() => fs.statSync(join(dir, 'file'))), ['whole file']],
])('%s is a source', async (_, work, expected) => {
  const dir = folder();
  expect(listed(await sourcesOf(() => work(dir)), dir)).toEqual(expected);
});

test.each<[string, (dir: string) => unknown]>([
  ['the clock', () => Date.now()],
  ['the time of a new Date', () => new Date()],
  ['the monotonic clock', () => performance.now()],
  ['another process', () => spawnSync('true')],
  ['a signal', () => process.kill(process.pid, 0)],
  ['a file of the system', () => fs.readFileSync('/proc/self/stat')],
  ['a promise of a text', (dir) => readFile(join(dir, 'file'))],
  ['a callback', (dir) => new Promise((done) => fs.stat(join(dir, 'file'), done))],
  ['all below a folder', (dir) => fs.readdirSync(dir, { recursive: true })],
  ['writing', (dir) => fs.writeFileSync(join(dir, 'new'), '')],
  ['opening to write', (dir) => fs.closeSync(fs.openSync(join(dir, 'new'), 'a'))],
  ['the native place', (dir) => fs.realpathSync.native(dir)],
  ['a change meanwhile', (dir) => [fs.readFileSync(join(dir, 'file')), spawnTouch(dir)]],
  [
    'a process that is covered, with half an answer',
    () =>
      covered(
        () => Promise.resolve(spawnSync('true')),
        () => false,
      ),
  ],
  ['an end that is no time', () => readClock(() => ({ value: 1, until: Number.NaN }))],
])('what depends on %s is not kept', async (_, work) => {
  expect(await sourcesOf(() => work(folder()))).toBe(null);
});
const spawnTouch = (dir: string) =>
  covered(
    async () => fs.writeFileSync(join(dir, 'file'), 'longer text'),
    () => true,
  );

test('a time that was given, a covered process and an end are no obstacle', async () => {
  const sources = await sourcesOf(async () => {
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
    await covered(
      () => Promise.resolve(spawnSync('true')),
      () => true,
    );
    readClock((now) => ({ value: null, until: now + 9_000 }));
    readClock((now) => ({ value: null, until: now + 5_000 }));
    readClock(() => ({ value: null, until: Number.POSITIVE_INFINITY }));
  });
  const left = (sources?.until ?? 0) - (sources?.from ?? 0);
  expect(left).toBeGreaterThanOrEqual(5_000);
  expect(left).toBeLessThan(9_000);
});

test('after the watch everything is as it was', async () => {
  const before = [fs.readFileSync, fs.promises.readFile, Date, process.kill];
  await sourcesOf(() => fs.readFileSync('package.json'));
  expect([fs.readFileSync, fs.promises.readFile, Date, process.kill]).toEqual(before);
  expect(Number.isFinite(performance.now())).toBe(true);
});
