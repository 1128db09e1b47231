// What is tidied is gone for good before anybody says so, and nothing but it.
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quickIo } from '../../../test/support/quick-io.ts';
import { tidies, patches } from './work-tree.ts';
import { stage, valueOf } from '../../../test/stage/repository.ts';
import type { PatchOutcome } from '../../model/action.ts';
import { takeCheckpoint } from '../../repos/checkpoint.ts';
import type { RunContext } from '../run-context.ts';

function house(...files: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'harness-tidy-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
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
    const context = { root, userRoot: root, io, notify: () => undefined };
    return tidies(context as never).perform({ kind: 'tidy', key: 'tidy', paths, keep }, action as never);
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

const diffOf = (path: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-one\n+secret\n`;

async function outcomeOf(diff: string, paths: readonly string[]): Promise<PatchOutcome> {
  const s = stage({ 'a.ts': 'one\n', 'secret.ts': 'one\n' });
  const ref = 'refs/harness/checkpoints/1';
  const taken = valueOf(await takeCheckpoint(s.git, { ref, message: 'm' }));
  const context = { git: s.git, redact: (text: string) => text.replaceAll('secret', '***') } as unknown as RunContext;
  const ask = { kind: 'patch', key: 'patch', checkpoint: { id: '1', ref, ...taken }, diff, paths } as const;
  const action = { token: 't', signal: new AbortController().signal, note: () => undefined };
  return (await patches(context).perform(ask, action as never)) as PatchOutcome;
}

test('a diff that fits is applied', async () => {
  expect(await outcomeOf(diffOf('a.ts'), ['a.ts'])).toEqual({ applied: true, why: '' });
});

test('one that does not is not; why, with secrets masked', async () => {
  const { applied, why } = await outcomeOf(diffOf('secret.ts'), ['a.ts']);
  expect([applied, why]).toEqual([false, 'it touches a path that was not judged: ***.ts']);
});
