// A work tree of the harness's own: what it shares with the user's, and its index after a commit.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { commitTree } from './commit.ts';
import { createGit, type Git } from './git.ts';
import { branchCommits } from './message.ts';
import { readObjects } from './objects.ts';
import { treeOf } from './tree.ts';
import { addWorkTree, workTreeBeside } from './work-trees.ts';

async function beside(files: { readonly [path: string]: string }) {
  const s = stage(files);
  const path = workTreeBeside(s.root);
  const folders = valueOf(await addWorkTree(s.git, path));
  const lands = { branch: 'main', user: s.git, note: join(s.root, '.git', 'follow.json') };
  const lane = createGit({ root: path, folders, token: 'test', env: s.env, lands });
  const inside = (...args: string[]): string => s.sh('-C', path, ...args);
  inside('reset', '-q', '--hard');
  const asked: string[] = [];
  const counted: Git = { ...lane, run: (args, options) => (asked.push(args[0] ?? ''), lane.run(args, options)) };
  return { s, path, lane, counted, asked, inside };
}

test('HEAD is that of the work tree, though the git of the user’s answers for both', async () => {
  const { s, lane, inside } = await beside({ a: 'one' });
  s.write('a', 'two');
  s.sh('add', '-A');
  s.commit('second');
  const names = ['HEAD', 'HEAD^{tree}', 'HEAD:a', '-', 'none\nsuch'];
  const silent: Git = {
    ...lane,
    ask: () => Promise.reject(new Error('asked')),
    run: () => Promise.reject(new Error('run')),
  };
  const read = async (git: Git) => valueOf(await readObjects(git, names));
  const [here, there] = [await read(silent), await read(s.git)];
  expect(here.map((one) => one?.id ?? null)).toEqual([
    inside('rev-parse', 'HEAD'),
    inside('rev-parse', 'HEAD^{tree}'),
    inside('rev-parse', 'HEAD:a'),
    null,
    null,
  ]);
  expect([here[2], there[2]].map((one) => one?.bytes.toString())).toEqual(['one', 'two']);
});

test('commits that one work tree has read are known in the others', async () => {
  const { s, counted, asked } = await beside({ a: 'one' });
  const head = s.sh('rev-parse', 'HEAD');
  const read = valueOf(await branchCommits(s.git, head));
  expect(valueOf(await branchCommits(counted, head))).toEqual(read);
  expect(asked).toEqual([]);
});

test.each([
  ['as bytes', {}, false],
  ['with converted ends of lines', { '.gitattributes': '*.txt text eol=crlf\n' }, true],
])('after a commit %s its index is that of the commit', async (_, more, isReset) => {
  const { s, path, counted, asked, inside } = await beside({ 'a.txt': 'a\n', list: '[]\n', ...more });
  const from = inside('rev-parse', 'HEAD');
  writeFileSync(join(path, 'a.txt'), 'longer\n');
  writeFileSync(join(path, 'new.txt'), 'new\n');
  inside('add', 'a.txt'); // by the agent
  const expectTree = valueOf(await treeOf(counted));
  const ask = { style: 'accept', item: '1', session: 1, run: 'r-1', token: 't-1', subject: 's', body: '' } as const;
  const files = { list: '[1]\n' };
  const made = valueOf(await commitTree(counted, { ...ask, files, only: null, expectTree, from }));
  expect(made.commit).toBe(s.sh('rev-parse', 'main'));
  expect([inside('diff', '--cached', '--name-only', 'HEAD'), inside('status', '--porcelain')]).toEqual(['', '']);
  expect(inside('rev-parse', 'HEAD')).toBe(made.commit);
  expect(asked.includes('reset')).toBe(isReset);
});
