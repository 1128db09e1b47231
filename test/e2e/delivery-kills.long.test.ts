// Killed in the middle of a phase and started again, a plan ends with one pull request and one merge.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endsOnce, heldAt, holdsAnswer, killedAt } from './delivery-killing.ts';
import { amountOf, IS_NIGHT } from '../support/effort.ts';
import { deliveryShop, DRAFTS, drafts, planner, SESSIONS, SPEC } from './delivery-shop.ts';

const ROLES: readonly (readonly [string, string, string | null])[] = [
  ['fixer', 'fix', 'review'],
  ['implementer', 'implement', null],
  ['merge-checker', 'merge-check', 'e2e-verify'],
];
test.each(ROLES.slice(0, amountOf(1, 1, ROLES.length)))(
  'killed while the %s is at work',
  async (role, phase, reached) => {
    const shop = deliveryShop(heldAt(role), { plans: 1 });
    await killedAt(shop, 'at', async () => {
      const status = (await shop.repo.harness('status', '--json')).json();
      expect(status).toMatchObject({
        lanes: [{ item: '0001', stage: phase }],
        delivery: { plans: [{ id: '0001', phase, reached }] },
      });
    });
    await endsOnce(shop);
  },
);

test.runIf(IS_NIGHT)('killed while the end-to-end tests run', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1, config: 'e2e: { command: sh e2e.sh }' });
  const top = join(shop.repo.root, '..');
  const waits = `touch ${top}/at\nwhile [ ! -e ${top}/go ]; do sleep 0.1; done\n`;
  shop.repo.write('e2e.sh', waits);
  shop.repo.git('add', 'e2e.sh');
  shop.repo.git('commit', '-q', '--amend', '--no-edit');
  shop.repo.git('push', '-q', '-f', 'origin', 'main');
  await killedAt(shop, 'at');
  await endsOnce(shop);
});

test('killed when the merge is done and its answer has not come', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1 });
  holdsAnswer(shop, 1);
  await killedAt(shop, 'at');
  await endsOnce(shop);
});

test('killed when the plans are pushed and the answer has not come: they are there once', async () => {
  const shop = deliveryShop([planner(drafts(DRAFTS)), ...SESSIONS], { plans: 0, files: { 'SPEC.md': SPEC } });
  holdsAnswer(shop, 1);
  await killedAt(shop, 'at');
  const planned = await shop.repo.harness('plan', '--json');
  expect([planned.code, planned.json()]).toMatchObject([0, { plans: [{ id: '0001' }, { id: '0002' }] }]);
  expect(shop.repo.git('log', '--format=%s').split('\n')).toEqual(['chore: plan 2 pieces of work', 'start']);
  expect(shop.repo.git('rev-parse', 'main')).toBe(
    shop.repo.git('ls-remote', 'origin', 'refs/heads/main').split('\t')[0],
  );
  expect(shop.repo.git('status', '--porcelain')).toBe('');
});
