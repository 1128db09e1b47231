// `land: pull-request`: a check of the pull request that fails comes back to the item, once for each commit.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOf } from '../support/local-forge.ts';
import { proposingShop } from './proposing-shop.ts';

test('a failed check is the first task of the next session, which brings the same pull request up to date', async () => {
  const { repo, remote } = proposingShop({ ci: 'echo no name; grep -q name src/cart.mjs' });
  const sessions = (): number => readdirSync(join(repo.root, '.harness/sessions')).length;
  const head = (): string => repo.git('ls-remote', remote, 'refs/heads/harness/2').split('\t')[0] ?? '';
  expect((await repo.harness('run', '--until-done', '-y')).code).toBe(8);
  const [first, before] = [head(), sessions()];
  const shown = await repo.harness('pr', '2', '--checks');
  expect(shown.stdout).toContain('1 comment or failed check, which the next session answers');

  const repaired = await repo.harness('run', '--until-done', '-y');
  expect(repaired.stderr).toContain('The checks of pull request #1 of item 2 failed (ci)');
  expect(repaired.code).toBe(8);
  expect(repo.read('.harness/sessions/2/prompt-1.md')).toContain('The check ci of the pull request failed: no name');
  expect(head()).not.toBe(first);
  expect(repo.git('show', `${head()}:src/cart.mjs`)).toContain('name');
  expect(recordsOf(repo, 'pulls')).toHaveLength(1);
  expect(sessions()).toBe(before + 1);

  // The new commit passes: nothing is left to do but its merge.
  const after = await repo.harness('run', '--until-done', '-y');
  expect(after.stderr).not.toContain('failed');
  expect([after.code, sessions()]).toEqual([8, before + 1]);
  expect((await repo.harness('pr', '2', '--json')).json()).toMatchObject({ state: 'open', asked: 0 });
});
