// Plans of a delivery that are added by a title or from an issue: files on the base branch of the remote, beside an edit of the user and a push of others.
import { expect, test } from 'vitest';
import { fileIssue } from '../support/github/people.ts';
import { asOther } from './delivery-daemon.ts';
import { plansOf, shopOfIssues } from './delivery-on-github.ts';

test('plans are added by hand and from an issue, and have the next free numbers', async () => {
  const { shop, github } = await shopOfIssues('github: { create_missing_issues: false }');
  const { repo } = shop;
  repo.write('src/open.mjs', 'export const open = false; // mine\n');
  const first = await repo.harness('add', 'A shelf', '--json');
  expect([first.code, first.json()]).toEqual([0, expect.objectContaining({ item: '0001', result: 'applied' })]);
  asOther(shop, (git) => {
    git('mv', 'docs/plans/0001-a-shelf.md', 'docs/plans/0002-a-shelf.md');
    git('commit', '-qm', 'a shelf comes later');
  });
  const second = await repo.harness(
    'add',
    'A lamp',
    '--depends-on',
    '0001',
    '--verify',
    'tests/lamp.test.mjs',
    '--json',
  );
  expect([second.code, second.stderr]).toEqual([0, '']);
  expect(plansOf(github)).toEqual(['docs/plans/0002-a-shelf.md', 'docs/plans/0003-a-lamp.md']);
  expect(github.repo.git('show', 'main:docs/plans/0003-a-lamp.md')).toContain('- Depends on: 0002');
  expect(repo.read('src/open.mjs')).toContain('mine');
  expect(repo.git('status', '--porcelain')).toBe(' M src/open.mjs');
  expect((await repo.harness('add', 'A lamp', '--json')).json()).toMatchObject({ result: 'already' });
  expect((await repo.harness('add', 'A lamp')).stdout).toContain('edit docs/plans to change the item');
  fileIssue(github, 'A cart', 'Depends on #9\n\nIt holds goods.');
  fileIssue(github, 'A table', '# Why\n\nIt is round.');
  const synced = await repo.harness('github', 'sync', '--json');
  expect(synced.json()).toMatchObject({
    acts: [
      { act: 'add', item: '0004' },
      { act: 'add', item: '0005' },
    ],
  });
  expect(plansOf(github).slice(2)).toEqual(['docs/plans/0004-a-cart.md', 'docs/plans/0005-a-table.md']);
  expect(github.repo.git('show', 'main:docs/plans/0005-a-table.md')).toBe(
    '# A table (#2)\n\n- Test: test/a-table-2.test.mjs\n\n## Work\n\n### Why\n\nIt is round.',
  );
  expect((await repo.harness('github', 'sync', '--json')).json()).toMatchObject({ acts: [] });
  const wrong = await repo.harness('add', 'A chair', '--depends-on', '0099');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('there is no such plan')]);
});
