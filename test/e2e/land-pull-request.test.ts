// `land: pull-request`: a landing is a pull request with its evidence, and the branch stays where it is.
import { expect, test } from 'vitest';
import { recordsOf } from '../support/local-forge.ts';
import { proposingShop } from './proposing-shop.ts';

test('a landing is proposed with its evidence, moves no branch, and what depends on it waits', async () => {
  const { repo, remote, start } = proposingShop();
  const proposed = await repo.harness('run', '--until-done', '-y');
  expect(proposed.stderr).toContain(`Item 2 is proposed: pull request #1, ${remote}#1`);
  expect(proposed.stdout).toContain('the remaining items wait until their pull requests are merged');
  expect(proposed.code).toBe(8);
  expect(repo.git('rev-parse', 'main')).toBe(start);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.features().map(({ passes }) => passes)).toEqual([true, false, false]);
  const [pull] = recordsOf(repo, 'pulls');
  expect(pull?.body).toMatch(
    /### How it was proved[^]*Harness-Evidence: sha256:[0-9a-f]{64}\n\nHarness-Key: item 2\n$/,
  );
  const first = repo.git('ls-remote', remote, 'refs/heads/harness/2').split('\t')[0] ?? '';
  expect(repo.git('diff', '--name-only', start, first).split('\n')).toEqual([
    'features.json',
    'src/cart.mjs',
    'tests/cart.test.mjs',
  ]);

  const { items } = (await repo.harness('items', '--json')).json() as { items: { status: string }[] };
  expect(items.map(({ status }) => status)).toEqual(['landed', 'waiting', 'pending']);
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ number: 1, state: 'open', asked: 0 });
});
