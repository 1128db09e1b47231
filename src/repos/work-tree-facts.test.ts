import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ok } from '../model/result.ts';
import { stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import { ignoredPaths } from './ignored-paths.ts';
import { whileUntouched, type Bound } from './work-tree-facts.ts';

const QUESTION = { name: 'question' } as { readonly name: string; readonly answers?: Bound<number> };
/** How often the question was asked so far. */
function asking(s: Stage) {
  let times = 0;
  return (circumstances: string | null = 'c') =>
    whileUntouched(s.git, QUESTION, circumstances, async () => ok((times += 1))).then(valueOf);
}
/** An answer is kept when the files have been left alone for a moment. */
const settle = async (ask: () => Promise<number>): Promise<number> => {
  let last = await ask();
  await vi.waitFor(async () => {
    const next = await ask();
    const isKept = next === last;
    last = next;
    expect(isKept).toBe(true);
  });
  return last;
};

const touches: readonly (readonly [what: string, touch: (root: string) => void])[] = [
  [
    'a file has other content of the same size and the time of before',
    (root) => {
      writeFileSync(join(root, 'd/a'), 'two');
      utimesSync(join(root, 'd/a'), 1, 1);
    },
  ],
  ['a file is executable', (root) => chmodSync(join(root, 'd/a'), 0o755)],
  ['an ignored file appears', (root) => writeFileSync(join(root, 'x.log'), '')],
  ['a file appears in an empty folder', (root) => writeFileSync(join(root, 'empty/new'), '')],
  ['a file is gone', (root) => rmSync(join(root, 'd/a'))],
  ['a folder appears', (root) => mkdirSync(join(root, 'd/e'))],
  ['a file is put in the place of another', (root) => renameSync(join(root, 'd/b'), join(root, 'd/a'))],
  [
    'a folder is a link to what it was',
    (root) => {
      renameSync(join(root, 'd'), join(root, '..', 'moved'));
      symlinkSync(join(root, '..', 'moved'), join(root, 'd'));
    },
  ],
];

test.each(touches)('git is asked again where %s', async (_, touch) => {
  const s = stage({ 'd/a': 'one', 'd/b': 'b', '.gitignore': '*.log\n' });
  mkdirSync(join(s.root, 'empty'));
  const ask = asking(s);
  const before = await settle(ask);
  touch(s.root);
  expect(await ask()).toBeGreaterThan(before);
});

test('what the harness keeps in the work tree for itself is no change, other circumstances are', async () => {
  const s = stage({ a: 'one' });
  const ask = asking(s);
  const before = await settle(ask);
  s.write('.harness/state.json', '{}');
  s.sh('update-ref', 'refs/x', 'HEAD');
  expect(await ask()).toBe(before);
  expect(await ask('others')).toBeGreaterThan(before);
  expect(await ask(null)).toBeGreaterThan(before + 1);
});

test('an answer is not kept where something was touched while git was asked, or just before', async () => {
  const s = stage({ a: 'one' });
  let times = 0;
  const ask = () =>
    whileUntouched(s.git, QUESTION, 'c', async () => {
      s.write('a', `${times}`);
      return ok((times += 1));
    }).then(valueOf);
  expect([await ask(), await ask(), await ask()]).toEqual([1, 2, 3]);
});

test('ignored files are those that there are now, under the rules of now', async () => {
  const s = stage({ '.gitignore': '*.log\n' });
  s.write('a.log', '');
  s.write('.harness/x.log', '');
  await settle(async () => valueOf(await ignoredPaths(s.git)).length);
  expect(valueOf(await ignoredPaths(s.git))).toEqual(['a.log']);
  s.write('.git/info/exclude', 'b\n');
  s.write('b', '');
  expect(valueOf(await ignoredPaths(s.git))).toEqual(['a.log', 'b']);
  s.write('.git/info/exclude', '');
  expect(valueOf(await ignoredPaths(s.git))).toEqual(['a.log']);
  s.sh('add', '-f', 'a.log');
  expect(valueOf(await ignoredPaths(s.git))).toEqual([]);
});
