// Files of the state folder that are committed: no commit of the harness loses them, whatever kind it is, and no tree of the work has them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stage, type Stage, valueOf } from '../../test/stage/repository.ts';
import { takeCheckpoint } from './checkpoint.ts';
import { commitTree, type TreeCommitAsk } from './commit.ts';
import { createGit, type Git } from './git.ts';
import { mergeIntoWorkTree } from './merge.ts';
import { restoreTree } from './restore.ts';
import { treeOf } from './tree.ts';
import { keepWip, resumeWip } from './wip.ts';
import { addWorkTree, workTreeBeside } from './work-trees.ts';

const LIST = '.harness/features.json';
const CONTRACT = '.harness/validation-contract.md';
const FILES = { 'a.txt': 'a\n', '.harness/.gitignore': '*\n', [LIST]: '[1]\n', [CONTRACT]: 'VAL\n' };
const COMMITTED = { [LIST]: '[1]\n', [CONTRACT]: 'VAL\n' };

let tokens = 0;
const ask = (more: Partial<TreeCommitAsk>): TreeCommitAsk => ({
  style: 'plain',
  item: null,
  session: 2,
  run: 'run-1',
  token: `carried-${(tokens += 1)}`,
  subject: 'chore: one more',
  body: '',
  files: {},
  only: null,
  expectTree: null,
  ...more,
});
/** A mission after its plan: list and contract are in the last commit, nothing else of the state folder is. */
async function mission(files: { readonly [path: string]: string } = {}): Promise<Stage & { readonly own: Git }> {
  const s = stage({ 'a.txt': 'a\n', ...files });
  for (const [path, text] of Object.entries(FILES)) s.write(path, text);
  s.write('.harness/session_state.json', '{}\n');
  const own = s.gitWith({ carried: [LIST, CONTRACT] });
  valueOf(await commitTree(own, ask({ files: COMMITTED, only: null })));
  return { ...s, own };
}
const inHead = (s: Stage): readonly string[] =>
  s
    .sh('ls-tree', '-r', '--name-only', 'HEAD')
    .split('\n')
    .filter((path) => path.startsWith('.harness/'));
const kept = (s: Stage): void => {
  expect(inHead(s)).toEqual([LIST, CONTRACT]);
  expect([s.read(LIST), s.read(CONTRACT)].map((text) => text.length > 0)).toEqual([true, true]);
};
const isClean = (s: Stage): boolean => s.sh('status', '--porcelain') === '';

/** In a repository where git stores bytes as they are, and in one where it converts them. */
const PLACES: readonly (readonly [string, { readonly [path: string]: string }])[] = [
  ['where git stores the bytes', {}],
  ['where git converts line ends', { '.gitattributes': '*.txt text eol=crlf\n' }],
];

describe.each(PLACES)('%s', (_, files) => {
  test('the plan is committed, and nothing else of the state folder', async () => {
    const s = await mission(files);
    kept(s);
    expect(isClean(s)).toBe(true);
  });

  test('a landing that changes the list alone keeps the contract', async () => {
    const s = await mission(files);
    s.write('a.txt', 'b\n');
    const expectTree = valueOf(await treeOf(s.own));
    const done = await commitTree(
      s.own,
      ask({ style: 'accept', item: 'F-001', expectTree, files: { [LIST]: '[2]\n' } }),
    );
    expect(valueOf(done).refused).toBeNull();
    kept(s);
    expect([s.sh('show', `HEAD:${LIST}`), s.sh('show', 'HEAD:a.txt'), isClean(s)]).toEqual(['[2]', 'b', true]);
  });

  test('a landing of another list keeps both', async () => {
    const s = await mission(files);
    s.write('a.txt', 'b\n');
    s.write('new.txt', 'new\n');
    const expectTree = valueOf(await treeOf(s.own));
    expect(valueOf(await commitTree(s.own, ask({ style: 'accept', item: '1', expectTree }))).commit).not.toBeNull();
    kept(s);
    expect(isClean(s)).toBe(true);
  });

  test('a commit of one path keeps both', async () => {
    const s = await mission(files);
    s.write('a.txt', 'not yet\n');
    valueOf(await commitTree(s.own, ask({ only: [LIST], files: { [LIST]: '[3]\n' } })));
    kept(s);
    expect([s.sh('show', `HEAD:${LIST}`), s.sh('show', 'HEAD:a.txt')]).toEqual(['[3]', 'a']);
  });

  test('a file that the user changed in the work tree is not committed with the work of others', async () => {
    const s = await mission(files);
    s.write('a.txt', 'b\n');
    s.write(CONTRACT, 'VAL, by hand\n');
    const expectTree = valueOf(await treeOf(s.own));
    valueOf(await commitTree(s.own, ask({ style: 'accept', item: '1', expectTree })));
    expect([s.sh('show', `HEAD:${CONTRACT}`), s.read(CONTRACT)]).toEqual(['VAL', 'VAL, by hand\n']);
  });

  test('work in progress has none of them, and a rollback leaves them', async () => {
    const s = await mission(files);
    const base = valueOf(await takeCheckpoint(s.own, { ref: 'refs/harness/checkpoints/1', message: 'before' }));
    s.write('a.txt', 'half\n');
    const about = { item: 'F-001', session: 2, run: 'r-1', subject: 'WIP', base, own: [LIST], token: 'wip-1' };
    const wip = valueOf(await keepWip(s.own, about));
    expect(s.sh('ls-tree', '-r', '--name-only', wip?.commit ?? '')).not.toContain('.harness');
    s.write(LIST, '[4]\n');
    valueOf(await restoreTree(s.own, base));
    expect([s.read('a.txt'), s.read(LIST), s.read(CONTRACT)]).toEqual(['a\n', '[4]\n', 'VAL\n']);
    s.write(LIST, '[1]\n');
    const resumed = valueOf(await resumeWip(s.own, 'F-001', base));
    expect([resumed.is, s.read('a.txt'), s.read(LIST)]).toEqual(['resumed', 'half\n', '[1]\n']);
  });
});

test('a commit from a work tree of an agent keeps them, also where they are changed', async () => {
  const s = await mission();
  const path = workTreeBeside(s.root);
  const folders = valueOf(await addWorkTree(s.own, path));
  const lands = { branch: 'main', user: s.own, note: join(s.root, '.git', 'follow.json') };
  const lane = createGit({ root: path, folders, token: 'test', env: s.env, lands, carried: [LIST, CONTRACT] });
  s.sh('-C', path, 'reset', '-q', '--hard');
  s.sh('-C', path, 'config', 'core.bare', 'false');
  const base = valueOf(await takeCheckpoint(lane, { ref: 'refs/harness/checkpoints/1', message: 'before' }));
  for (const [n, list] of [
    [1, '[5]\n'],
    [2, '[6]\n'],
  ] as const) {
    s.sh('-C', path, 'update-index', '--refresh', '-q');
    const text = `lane ${n}\n`;
    s.write(`../${path.slice(path.lastIndexOf('/') + 1)}/made-${n}.txt`, text);
    const expectTree = valueOf(await treeOf(lane));
    const done = valueOf(
      await commitTree(
        lane,
        ask({ style: 'accept', item: `F-00${n}`, session: n, expectTree, files: { [LIST]: list } }),
      ),
    );
    expect([n, done.refused]).toEqual([n, null]);
    kept(s);
    expect([s.sh('show', `HEAD:${LIST}`), s.read(LIST), s.read(`made-${n}.txt`)]).toEqual([list.trim(), list, text]);
  }
  expect(base.tree).not.toBe('');
  expect([isClean(s), existsSync(join(path, '.harness', 'session_state.json'))]).toEqual([true, false]);
});

describe('a merge of what others pushed', () => {
  /** The user works elsewhere on the branch, and the harness landed meanwhile. */
  async function parted(theirs: { readonly [path: string]: string }) {
    const s = await mission();
    s.sh('checkout', '-q', '-b', 'theirs');
    for (const [path, text] of Object.entries(theirs)) s.write(path, text);
    s.sh('add', '-A');
    s.sh('add', '-f', ...Object.keys(theirs));
    const tip = s.commit('theirs');
    s.sh('checkout', '-q', 'main');
    s.write('mine.txt', 'm\n');
    valueOf(await commitTree(s.own, ask({ style: 'accept', item: 'F-001', files: { [LIST]: '[7]\n' } })));
    const mine = s.sh('rev-parse', 'HEAD');
    const before = valueOf(await takeCheckpoint(s.own, { ref: 'refs/harness/checkpoints/1', message: 'before' }));
    const isReserved = (path: string): boolean => path.startsWith('.harness/');
    const merged = valueOf(await mergeIntoWorkTree(s.own, { before, mine, theirs: tip, isReserved }));
    return { s, tip, mine, merged };
  }

  test('has the work of both, and list and contract as they were', async () => {
    const { s, tip, mine, merged } = await parted({ 'theirs.txt': 't\n' });
    if (merged.is !== 'merged') throw new Error(merged.is);
    const merges = { mine, theirs: tip };
    const done = valueOf(await commitTree(s.own, ask({ expectTree: merged.tree, merges, token: 'merge' })));
    expect([done.refused, s.sh('show', 'HEAD:theirs.txt'), s.sh('show', 'HEAD:mine.txt')]).toEqual([null, 't', 'm']);
    kept(s);
    expect([s.sh('show', `HEAD:${LIST}`), s.read(LIST), isClean(s)]).toEqual(['[7]', '[7]\n', true]);
  });

  test('is the user’s where they changed list or contract: nothing is lost', async () => {
    const { s, merged } = await parted({ 'theirs.txt': 't\n', [CONTRACT]: 'VAL, changed\n' });
    expect(merged).toEqual({ is: 'reserved', files: [CONTRACT] });
    expect(s.sh('show', `HEAD:${CONTRACT}`)).toBe('VAL');
  });
});
