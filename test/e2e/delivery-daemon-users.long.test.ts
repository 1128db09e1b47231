// The daemon of a delivery and its users: plans and merges of others, a freeze, a plan that is given back.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockOwner } from '../../src/host/lock.ts';
import { asOther, at, daemon, held, isIdle, letGo, mergesIn, until } from './delivery-daemon.ts';
import { deliveryShop, pullsOf, says, SESSIONS, type Session } from './delivery-shop.ts';
import { untilThere } from '../support/signals.ts';

const GIFT = 'docs/plans/0003-gift.md';
const GIFT_WORK: Session = {
  when: { role: 'implementer', item: '0003' },
  turns: [
    [
      { write: { path: 'src/gift.mjs', text: 'export const gift = () => true;\n' } },
      {
        write: {
          path: 'tests/gift.test.mjs',
          text: "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { gift } from '../src/gift.mjs';\ntest('gift works', () => assert.equal(gift(), true));\n",
        },
      },
    ],
  ],
};
const ALL = [GIFT_WORK, says('preparer', '0003', 'Title: Add gifts\n\nA cart can be a gift.'), ...SESSIONS];

test('two plans are merged, a third that is pushed meanwhile is found, and what it used is shown', async () => {
  const shop = deliveryShop(ALL, { config: 'daemon: { poll_seconds: 1 }\nbudget: { ceiling_tokens: 1 }\n' });
  await daemon(shop);
  expect(mergesIn(await until(shop, isIdle))).toEqual(['0001 harness', '0002 harness']);
  asOther(shop, (git, root) => {
    writeFileSync(join(root, GIFT), '# Gift\n\n- Depends on: 2\n- Test: tests/gift.test.mjs\n');
    git('add', '-A');
    git('commit', '-qm', 'docs: a third plan');
  });
  const state = await until(shop, (now) => mergesIn(now).length === 3 && isIdle(now));
  expect(mergesIn(state)).toContain('0003 harness');
  expect(pullsOf(shop).map(({ number, state: is }) => [number, is])).toEqual([
    [1, 'merged'],
    [2, 'merged'],
    [3, 'merged'],
  ]);
  const { repo } = shop;
  const logs = readdirSync(join(repo.root, '.harness/logs')).filter((name) => /^000\d-r-.*\.log$/.test(name));
  expect(logs.map((name) => name.slice(0, 4))).toEqual(['0001', '0002', '0003']);
  const [run = ''] = readdirSync(join(repo.root, '.harness/task-runs/0001'));
  expect(JSON.parse(repo.read(`.harness/task-runs/0001/${run}/tokens-used.json`))).toMatchObject({ plan: '0001', run });
  expect(repo.git('status', '--porcelain')).toBe('');
});

test('a freeze stops the work under way at once, and unfrozen it continues where it was', async () => {
  const shop = deliveryShop(held(SESSIONS, 'fixer'), { plans: 1, config: 'daemon: { poll_seconds: 1 }\n' });
  const { repo } = shop;
  await daemon(shop);
  await untilThere(() => at(shop, 'fixer'));
  // As a user may also do by hand.
  repo.write('.harness/FROZEN', '');
  await until(shop, (now) => now.frozen && now.active === null && now.waiting?.why === 'frozen');
  expect(lockOwner(repo.privateDir)).toBeNull();
  expect((await repo.harness('run', '-y')).code).toBe(10);
  expect((await repo.harness('freeze', '--json')).json()).toMatchObject({ was_frozen: true });
  letGo(shop);
  expect((await repo.harness('unfreeze', '--json')).json()).toMatchObject({ was_frozen: true });
  expect(existsSync(join(repo.root, '.harness/FROZEN'))).toBe(false);
  expect(mergesIn(await until(shop, (now) => mergesIn(now).length === 1))).toEqual(['0001 harness']);
  // The reviewer was not asked again: what it had found was still known.
  expect(repo.read('src/cart.mjs')).toContain('...more');
  expect(pullsOf(shop)).toMatchObject([{ number: 1, state: 'merged' }]);
});

test('a merge by a person counts as one of its own: the plan file is moved, and what depends on it follows', async () => {
  const again: Session = {
    when: { role: 'implementer', item: '0001', attempt: '2+' },
    turns: [[{ write: { path: '../at-second', text: '' } }, { wait_for_file: '../go' }]],
  };
  // The checks of the first plan fail until a person has merged it all the same.
  const ci = 'test -f src/pay.mjs';
  const shop = deliveryShop([again, ...SESSIONS], { ci, config: 'daemon: { poll_seconds: 1 }\n' });
  const { repo } = shop;
  await daemon(shop);
  await untilThere(() => at(shop, 'second'));
  expect((await repo.harness('pause')).code).toBe(0);
  await until(shop, (now) => now.paused && now.active === null);
  asOther(shop, (git) => {
    git('fetch', '-q', 'origin', 'harness/0001');
    git('merge', '-q', '--no-ff', '-m', 'Add a cart (#1)', 'FETCH_HEAD');
  });
  letGo(shop);
  expect((await repo.harness('resume')).code).toBe(0);
  const state = await until(shop, (now) => mergesIn(now).length === 2 && isIdle(now));
  expect(mergesIn(state)).toEqual(['0001 others', '0002 harness']);
  expect(repo.git('log', '--format=%s', '--first-parent').split('\n').slice(0, 4)).toEqual([
    'chore: plan 0002-pay is merged',
    'Add payment (#2)',
    'chore: plan 0001-cart is merged',
    'Add a cart (#1)',
  ]);
});

test('a plan that cannot be worked on waits at a question with its reason, others continue, and it is given back', async () => {
  const free = '# Gift\n\n- Test: tests/gift.test.mjs\n';
  const shop = deliveryShop(ALL, { plans: 1, files: { [GIFT]: free }, config: 'daemon: { poll_seconds: 1 }\n' });
  const { repo } = shop;
  // Others have work of their own on the branch of the first plan.
  asOther(shop, (git, root) => {
    git('checkout', '-q', '-b', 'harness/0001');
    writeFileSync(join(root, 'theirs.txt'), 'theirs\n');
    git('add', '-A');
    git('commit', '-qm', 'theirs');
    git('push', '-q', 'origin', 'harness/0001');
    git('checkout', '-q', 'main');
  });
  await daemon(shop);
  const state = await until(shop, (now) => mergesIn(now).length === 1 && isIdle(now));
  expect(mergesIn(state)).toEqual(['0003 harness']);
  expect(state.blocked).toMatchObject([
    { plan: '0001', reason: expect.stringContaining('pr-branch-edited') as unknown },
  ]);
  expect(repo.read('.harness/plans.json')).toContain('pr-branch-edited');
  repo.git('push', '-q', 'origin', ':harness/0001');
  expect((await repo.harness('unblock', '0001', '--json')).json()).toMatchObject({ result: 'applied' });
  expect(mergesIn(await until(shop, (now) => mergesIn(now).length === 2))).toEqual(['0003 harness', '0001 harness']);
  expect(repo.read('.harness/plans.json')).not.toContain('pr-branch-edited');
});
