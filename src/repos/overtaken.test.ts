// A lane whose work others overtook: it is to be proved with theirs, and nothing of its commit is made before.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { commitTree } from './commit.ts';
import { createGit } from './git.ts';
import { treeOf } from './tree.ts';
import { addWorkTree, workTreeBeside } from './work-trees.ts';

const OWN = 'the list as the commit has it\n';

/** `ours`: what is changed in the lane; `theirs`: what the newer commit changes. */
async function landed(
  ours: { readonly [path: string]: string },
  theirs: { readonly [path: string]: string },
  attributes = '',
) {
  const s = stage({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'list.json': '[]\n', '.gitattributes': attributes });
  const path = workTreeBeside(s.root);
  const folders = valueOf(await addWorkTree(s.git, path));
  const lands = { branch: 'main', user: s.git, note: join(s.root, '.git', 'follow.json') };
  const lane = createGit({ root: path, folders, token: 'test', env: s.env, lands });
  s.sh('-C', path, 'reset', '-q', '--hard');
  const from = s.sh('rev-parse', 'HEAD');
  for (const [name, text] of Object.entries(ours)) writeFileSync(join(path, name), text);
  const expectTree = valueOf(await treeOf(lane));
  for (const [name, text] of Object.entries(theirs)) s.write(name, text);
  s.sh('add', '-A');
  const newer = s.commit('theirs');
  const files = { 'list.json': OWN };
  const ask = { style: 'accept', item: '1', session: 1, run: 'r-1', token: 't-1', subject: 's', body: '' } as const;
  const made = valueOf(await commitTree(lane, { ...ask, files, only: null, expectTree, from }));
  const own = valueOf(await s.git.run(['hash-object', '--stdin'], { stdin: OWN })).trim();
  const isMade = (await s.git.run(['cat-file', '-e', own])).ok;
  return { made, isMade, isHead: s.sh('rev-parse', 'HEAD') === newer };
}

test('beside the work of others nothing is written', async () => {
  const { made, isMade, isHead } = await landed({ 'a.txt': 'ours\n' }, { 'b.txt': 'theirs\n' });
  expect([made.commit, made.refused?.code, isMade, isHead]).toEqual([null, 'branch-moved', false, true]);
});

test('the same lines are a conflict, with the file', async () => {
  const { made, isHead } = await landed({ 'a.txt': 'ours\n' }, { 'a.txt': 'theirs\n' });
  expect([made.refused?.code, made.refused?.ids, isHead]).toEqual(['landing-conflict', ['a.txt'], true]);
});

test('what both made is no reason to wait', async () => {
  const { made, isMade } = await landed({ 'a.txt': 'same\n' }, { 'a.txt': 'same\n' });
  expect([made.refused, made.commit === null, isMade]).toEqual([null, false, true]);
});

test('where git converts the ends of lines, a file that only others changed is no conflict', async () => {
  const { made } = await landed({ 'b.txt': 'ours\r\n' }, { 'a.txt': 'theirs\n' }, '*.txt text eol=crlf\n');
  expect(made.refused?.code).toBe('branch-moved');
});
