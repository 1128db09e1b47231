// Plans become merged pull requests: two plans, a finding that is fixed, a bare remote and a local forge.
import { expect, test } from 'vitest';
import { deliveryShop, pullsOf, SESSIONS } from './delivery-shop.ts';

test('two plans: one finding fixed, both merged, the plan files moved, and the branch here follows', async () => {
  const shop = deliveryShop(SESSIONS);
  const { repo } = shop;
  const ran = await repo.harness('run', '-y');
  expect(ran.stdout + ran.stderr).toContain('0002');
  expect(ran.code).toBe(0);
  expect(pullsOf(shop)).toMatchObject([
    { number: 1, state: 'merged', title: 'Add a cart', labels: ['ready-to-merge'] },
    { number: 2, state: 'merged', title: 'Add payment', labels: ['ready-to-merge'] },
  ]);
});
