// `land: branch`: what a run lands is on a branch of the run; the user's branch, index and folder are as they were until they merge it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { branches, branching, itemsOn, users, type Ended } from './land-branch-shop.ts';
import { expectExit } from './workshop.ts';

test('a run lands everything on its own branch, says how it is merged, and merged it is the user’s', async () => {
  const shop = branching();
  const before = users(shop);
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  const { run, branch } = ran.json() as Ended;
  const name = `harness/run/${run}`;
  expect(branch).toMatchObject({ name, commits: 3, behind: 0, merge: `git merge ${name}` });
  expect(users(shop)).toEqual(before);
  expect(existsSync(join(shop.root, 'src/bench'))).toBe(false);
  expect([branches(shop), itemsOn(shop, name)]).toEqual([
    [name, 'main'],
    ['1', '2', '3'],
  ]);
  expect((await shop.harness('status', '--json')).json()).toMatchObject({
    items: { landed: 3, total: 3 },
    next: { item: null },
    branch: { name, commits: 3 },
  });
  expect((await shop.harness('status')).stdout).toContain(`git merge ${name}`);
  expectExit(await shop.harness('evidence', 'verify', '--all'), 0);
  expectExit(await shop.harness('verify', '1'), 0);
  expect(users(shop)).toEqual(before);
  shop.git('merge', '-q', name);
  shop.git('branch', '-q', '-d', name);
  expect(shop.features().every(({ passes }) => passes === true)).toBe(true);
  const after = (await shop.harness('status', '--json')).json();
  expect(after).toMatchObject({ items: { landed: 3 } });
  expect(after).not.toHaveProperty('branch');
  const next = await shop.harness('run', '--json');
  expect(next.json()).toMatchObject({ result: 'done', items: [] });
  expect(branches(shop)).toEqual(['main']);
  expect(shop.git('for-each-ref', 'refs/harness/run-tips')).toBe('');
});
