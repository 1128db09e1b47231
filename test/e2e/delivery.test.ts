// Plans become merged pull requests: two plans, a finding that is fixed, a bare remote and a local forge.
import { expect, test } from 'vitest';
import { deliveryShop, pullsOf, says, SESSIONS } from './delivery-shop.ts';
import { IS_EXHAUSTIVE } from '../support/effort.ts';

test('two plans: one finding fixed, both merged, the plan files moved, and the branch here follows', async () => {
  const shop = deliveryShop(SESSIONS);
  const { repo } = shop;
  const items = async () => (await repo.harness('items', '--json')).json();
  expect(await items()).toMatchObject({
    items: [
      { id: '0001', status: 'ready' },
      { id: '0002', status: 'pending' },
    ],
  });
  const ran = await repo.harness('run', '-y');
  expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
  const [cart, pay, ...others] = pullsOf(shop);
  expect(others).toEqual([]);
  expect(cart).toMatchObject({ state: 'merged', title: 'Add a cart', labels: ['ready-to-merge'] });
  expect(pay).toMatchObject({ state: 'merged', title: 'Add payment', labels: ['ready-to-merge'] });
  // The low is a follow-up, and the curve is shown.
  for (const part of ['A cart holds goods.', 'a comment would help', '1 → 0', 'Harness-Key: plan 0001'])
    expect(cart?.body).toContain(part);

  const paths = repo.git('ls-tree', '-r', '--name-only', 'main').split('\n');
  expect(paths.filter((path) => path.startsWith('docs/'))).toEqual([
    'docs/plans/completed/0001-cart.md',
    'docs/plans/completed/0002-pay.md',
  ]);
  // The fix added a file that no finding asked for.
  expect(paths).not.toContain('package.json');
  expect(repo.git('log', '--first-parent', '--format=%s').split('\n')).toEqual([
    'chore: plan 0002-pay is merged',
    'Add payment (#2)',
    'chore: plan 0001-cart is merged',
    'Add a cart (#1)',
    'start',
  ]);
  expect(repo.git('ls-remote', 'origin', 'refs/heads/main').split('\t')[0]).toBe(repo.git('rev-parse', 'main'));
  expect(repo.git('status', '--porcelain')).toBe('');
  expect((await repo.harness('evidence', 'verify')).stdout).toContain('Valid: 2 bundles');
  expect(await items()).toMatchObject({ items: [{ status: 'landed' }, { status: 'landed' }] });
});

test.runIf(IS_EXHAUSTIVE)(
  'checks that fail keep the work, and the next session brings the same pull request up to date',
  async () => {
    const others = SESSIONS.filter(({ when }) => when['role'] !== 'implementer' && when['role'] !== 'reviewer');
    const [first] = SESSIONS;
    const again = {
      when: { role: 'implementer', attempt: '2+' },
      turns: [[{ write: { path: 'READY', text: 'yes\n' } }]],
    };
    const review = says('reviewer', null, 'No findings.');
    const shop = deliveryShop([again, ...(first === undefined ? [] : [first]), review, ...others], {
      plans: 1,
      ci: 'test -f READY',
    });
    const ran = await shop.repo.harness('run', '-y');
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
    expect(pullsOf(shop)).toMatchObject([{ number: 1, state: 'merged' }]);
    expect(shop.repo.git('log', '--first-parent', '--merges', '--format=%s')).toBe('Add a cart (#1)');
    expect(shop.repo.read('READY')).toBe('yes\n');
    const sessions = shop.repo.read('.harness/sessions/1/session.json');
    expect(JSON.parse(sessions)).toMatchObject({
      result: 'partial',
      reason: 'review',
      problems: [{ code: 'ci-failed' }],
    });
  },
);
