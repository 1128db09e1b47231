// What a check left is copied as far as it is safe: code of the work wrote it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { realIo } from '../host/io.ts';
import { configOf } from '../../test/support/config.ts';
import { artifactsIn, keepArtifacts, MOST_FILES } from './artifacts.ts';
import type { RunContext } from './run-context.ts';

let top = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'artifacts-'));
  const made = top;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});
const put = (path: string, text: string | Uint8Array): void => {
  mkdirSync(join(top, path, '..'), { recursive: true });
  writeFileSync(join(top, path), text);
};
const pathsIn = (...folders: string[]): readonly string[] => artifactsIn(top, folders).found.map(({ path }) => path);

test('folders are copied whole, and nothing beside them', () => {
  put('report/index.html', 'html');
  put('report/data/a.json', '{}');
  put('secret.txt', 'no');
  expect(pathsIn('report', './report/', 'missing')).toEqual(['report/data/a.json', 'report/index.html']);
});

test('links lead nowhere, whether they are files, folders or the folder itself', () => {
  put('outside/key', 'secret');
  put('report/a.txt', 'a');
  symlinkSync(join(top, 'outside/key'), join(top, 'report/key'));
  symlinkSync(join(top, 'outside'), join(top, 'report/folder'));
  symlinkSync(join(top, 'outside'), join(top, 'linked'));
  expect(pathsIn('report', 'linked')).toEqual(['report/a.txt']);
});

test('sizes and numbers are bounded, and what is left out is counted', () => {
  for (let n = 0; n < MOST_FILES + 3; n += 1) put(`many/${String(n).padStart(4, '0')}`, 'x');
  put('large/video', new Uint8Array(10 * 1024 * 1024 + 1));
  const { found, leftOut } = artifactsIn(top, ['large', 'many']);
  expect([found.length, leftOut]).toEqual([MOST_FILES, 4]);
});

test('they take the place of earlier ones; secrets are masked in texts, and a list names them', () => {
  const folders = { root: join(top, 'agents'), userRoot: join(top, 'user') };
  const context = {
    ...folders,
    io: realIo(),
    config: configOf(),
    git: { own: [] },
    machine: { files: () => ({ own: [], guarded: [], records: '.harness/records/' }) },
    redact: (text: string) => text.replaceAll('hunter2', '[masked]'),
  } as unknown as RunContext;
  const into = '.harness/records/1/e2e';
  put(`user/${into}/old`, 'old');
  put('run/report/log.txt', 'password hunter2');
  put('run/report/picture.png', new Uint8Array([0, ...Buffer.from('hunter2')]));
  keepArtifacts(context, join(top, 'run'), { folders: ['report'], into });
  const read = (path: string): string => readFileSync(join(folders.userRoot, into, path), 'utf8');
  expect(read('report/log.txt')).toBe('password [masked]');
  expect(read('report/picture.png')).toContain('hunter2');
  expect(() => read('old')).toThrow('ENOENT');
  expect(JSON.parse(read('artifacts.json'))).toEqual({
    files: [
      { path: 'report/log.txt', bytes: 17 },
      { path: 'report/picture.png', bytes: 8 },
    ],
    leftOut: 0,
  });
});
