// Killed in the middle of a phase and started again, a plan ends with one pull request and one merge.
import { test } from 'vitest';
import { endsOnce, heldAt, holdsAnswer, killedAt } from './delivery-killing.ts';
import { deliveryShop, SESSIONS } from './delivery-shop.ts';

test.each(['implementer', 'fixer', 'merge-checker'])('killed while the %s is at work', async (role) => {
  const shop = deliveryShop(heldAt(role), { plans: 1 });
  await killedAt(shop, 'at');
  await endsOnce(shop);
});

test('killed when the merge is done and its answer has not come', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1 });
  holdsAnswer(shop, 1);
  await killedAt(shop, 'at');
  await endsOnce(shop);
});
