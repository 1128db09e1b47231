// `land: pull-request` to its end: what reviewers ask for comes back into the next session, and the merge is read back.
import { expect, test } from 'vitest';
import { recordsOf, writeRecord } from '../support/local-forge.ts';
import { proposingShop } from './proposing-shop.ts';

test('a comment is answered in the same pull request, and once it is merged the next item begins', async () => {
  const { repo, remote, start } = proposingShop();
  expect((await repo.harness('run', '--until-done', '-y')).code).toBe(8);
  const [pull] = recordsOf(repo, 'pulls');
  const first = repo.git('ls-remote', remote, 'refs/heads/harness/2').split('\t')[0] ?? '';
  writeRecord(repo, 'pulls', {
    ...pull!,
    comments: [{ id: 1, author: 'Grace', at: new Date().toISOString(), body: 'Give it a name.' }],
  } as never);
  const answered = await repo.harness('run', '--until-done', '-y');
  expect(answered.stderr).toContain('Pull request #1 of item 2 has 1 comment');
  expect(answered.code).toBe(8);
  const prompt = repo.read('.harness/sessions/2/prompt-1.md');
  expect(prompt).toContain('Give it a name.');
  const second = repo.git('ls-remote', remote, 'refs/heads/harness/2').split('\t')[0] ?? '';
  expect(second).not.toBe(first);
  expect(recordsOf(repo, 'pulls')).toHaveLength(1);
  expect(repo.git('show', `${second}:src/cart.mjs`)).toContain('name');
  expect(repo.git('rev-parse', `${second}^`)).toBe(start);

  repo.git('push', '-q', 'origin', `${second}:refs/heads/main`);
  const merged = await repo.harness('run', '--until-done', '-y');
  expect(merged.stderr).toContain('Pull request #1 is merged: item 2 has landed.');
  expect(merged.stderr).toContain('Item 3 is proposed: pull request #2');
  expect(repo.git('rev-parse', 'main')).toBe(second);
  expect(repo.features().map(({ passes }) => passes)).toEqual([true, true, false]);
  const verified = await repo.harness('evidence', 'verify');
  expect(verified.stdout).toContain('Valid: 3 bundles');
  expect(verified.code).toBe(0);
});
