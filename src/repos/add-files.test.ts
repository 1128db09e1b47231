// Files are added to a branch of a remote once, on the commit that was looked at, however often it is asked for.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf } from '../../test/stage/repository.ts';
import { addOnRemote } from './add-files.ts';

function withRemote() {
  const s = stage();
  const url = join(s.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', url], { env: s.env });
  s.sh('push', '-q', url, 'HEAD:refs/heads/main');
  const base = s.sh('rev-parse', 'HEAD');
  const files = { 'docs/plans/0001-cart.md': '# Cart\n', 'SPEC.acceptance.md': '- CART-1: goods\n' };
  const about = { remote: 'origin', url, branch: 'main', files, subject: 'chore: plan 1 piece of work' };
  const add = async (mark: string, from = base) => {
    const asked = { ...about, base: from, mark, trailers: { 'Harness-Run': 'r-1' } };
    return valueOf(await addOnRemote(s.git, asked)).commit;
  };
  const there = (...args: string[]): string =>
    execFileSync('git', ['-C', url, ...args], { env: s.env })
      .toString()
      .trim();
  return { s, url, base, add, there };
}

test('one commit has them all, on top of the branch; asked for again, it is the same', async () => {
  const { s, base, add, there } = withRemote();
  const commit = await add('a');
  expect(there('rev-parse', 'main', 'main^')).toBe(`${commit}\n${base}`);
  expect(there('diff', '--name-only', 'main^', 'main').split('\n')).toEqual([
    'SPEC.acceptance.md',
    'docs/plans/0001-cart.md',
  ]);
  expect(there('show', 'main:docs/plans/0001-cart.md')).toBe('# Cart');
  expect(await add('a')).toBe(commit);
  expect(there('rev-list', '--count', 'main')).toBe('2');
  // Nothing here has moved.
  expect(s.sh('rev-parse', 'HEAD')).toBe(base);
});

test('it is found below what others added afterwards', async () => {
  const { s, url, add, there } = withRemote();
  const commit = await add('a');
  s.sh('fetch', '-q', url, 'main');
  s.sh('reset', '-q', '--hard', 'FETCH_HEAD');
  s.commit('theirs');
  s.sh('push', '-q', url, 'HEAD:refs/heads/main');
  expect(await add('a')).toBe(commit);
  expect(there('rev-list', '--count', 'main')).toBe('3');
});

test('a branch that others moved is left as it is: the caller looks again', async () => {
  const { s, url, add, there } = withRemote();
  const theirs = s.commit('theirs');
  s.sh('push', '-q', url, `${theirs}:refs/heads/main`);
  expect(await add('a')).toBeNull();
  expect(there('rev-parse', 'main')).toBe(theirs);
  expect(await add('b', theirs)).not.toBeNull();
});
