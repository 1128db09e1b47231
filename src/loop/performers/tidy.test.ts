// What is tidied is gone for good before anybody says so, and nothing but it.
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { quickIo } from '../../../test/support/quick-io.ts';
import { tidies } from './tidy.ts';

function house(...files: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'harness-tidy-'));
  for (const path of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  const removed: (readonly [path: string, how: string | undefined])[] = [];
  const real = quickIo();
  const io = {
    ...real,
    remove(path: string, how?: 'for-good') {
      removed.push([path.slice(root.length + 1), how]);
      real.remove(path);
    },
  };
  const tidy = async (paths: readonly string[], keep: readonly string[] = []) => {
    const action = { token: 't', signal: new AbortController().signal, note: () => undefined };
    const context = { root, io, notify: () => undefined };
    return tidies(context).perform({ kind: 'tidy', key: 'tidy', paths, keep }, action as never);
  };
  return { root, removed, tidy, has: (path: string) => existsSync(join(root, path)) };
}

test('what is tidied cannot come back after a loss of power: what is done next rests on it', async () => {
  const { removed, tidy, has } = house('docs/spec.md', 'plan.md');
  expect(await tidy(['docs/', 'plan.md'])).toEqual({ removed: 2 });
  expect([has('docs'), has('plan.md')]).toEqual([false, false]);
  expect(removed).toEqual([
    ['docs', 'for-good'],
    ['plan.md', 'for-good'],
  ]);
});

test('nor what somebody removed who died before it was durable', async () => {
  const { removed, tidy } = house('plan.md');
  expect(await tidy(['gone.md'])).toEqual({ removed: 0 });
  expect(removed).toEqual([['gone.md', 'for-good']]);
});

test('what is kept stays, in a folder that is tidied around it', async () => {
  const { tidy, has } = house('docs/spec.md', 'docs/notes.md');
  expect(await tidy(['docs'], ['docs/notes.md'])).toEqual({ removed: 1 });
  expect([has('docs/spec.md'), has('docs/notes.md')]).toEqual([false, true]);
});

test('nothing is removed through a link', async () => {
  const theirs = house('spec.md');
  const { root, tidy, removed } = house();
  symlinkSync(theirs.root, join(root, 'docs'));
  expect(await tidy(['docs/spec.md'])).toEqual({ removed: 0 });
  expect([theirs.has('spec.md'), removed]).toEqual([true, []]);
});
