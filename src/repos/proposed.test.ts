// Commits on the branch of a pull request: each continues the one before, and nothing of others is overwritten.
import { expect, test } from 'vitest';
import { failureOf, stage, valueOf, type Stage } from '../../test/stage/repository.ts';
import { commitTree } from './commit.ts';

const BRANCH = 'harness/0001';
const propose = (s: Stage, n: number, text: string) => {
  s.write('cart.txt', text);
  const about = { run: 'r-1', subject: 'feat: cart', body: '', files: {}, only: null, expectTree: null } as const;
  return commitTree(s.git, {
    ...about,
    style: 'accept',
    item: '0001',
    session: n,
    token: `t-${n}`,
    onto: BRANCH,
  });
};
const parents = (s: Stage): string => s.sh('log', '-1', '--format=%P', BRANCH);

test('a second proposal continues the first, on the newest base; asked again it is the same', async () => {
  const s = stage({ 'shop.txt': 'open\n' });
  const first = valueOf(await propose(s, 1, 'one\n'));
  const base = s.sh('rev-parse', 'main');
  expect([s.sh('rev-parse', BRANCH), parents(s)]).toEqual([first.commit, base]);
  const second = valueOf(await propose(s, 2, 'two\n'));
  expect([s.sh('rev-parse', BRANCH), parents(s)]).toEqual([second.commit, `${base} ${first.commit}`]);
  expect(s.sh('show', `${BRANCH}:cart.txt`)).toBe('two');
  expect(valueOf(await propose(s, 2, 'two\n')).commit).toBe(second.commit);
  expect(s.sh('rev-parse', 'main')).toBe(base);
});

test('a proposal that is on the base is not continued', async () => {
  const s = stage({ 'shop.txt': 'open\n' });
  valueOf(await propose(s, 1, 'one\n'));
  s.sh('stash', '-q', '-u');
  s.sh('merge', '-q', '--no-ff', '-m', 'merged', BRANCH);
  valueOf(await propose(s, 2, 'two\n'));
  expect(parents(s)).toBe(s.sh('rev-parse', 'main'));
});

test('a branch of that name with a commit of a person stays as it is', async () => {
  const s = stage({ 'shop.txt': 'open\n' });
  const first = valueOf(await propose(s, 1, 'one\n'));
  const theirs = s.sh('commit-tree', '-p', first.commit ?? '', '-m', 'by hand', `${first.commit}^{tree}`);
  s.sh('update-ref', `refs/heads/${BRANCH}`, theirs);
  expect(failureOf(await propose(s, 2, 'two\n'))).toMatchObject({
    reason: 'pr-branch-edited',
    params: { branch: BRANCH },
  });
  expect(s.sh('rev-parse', BRANCH)).toBe(theirs);
});
