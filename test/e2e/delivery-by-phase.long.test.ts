// One phase of a plan after the other by hand, from the first to the merge; and a role that needs a person.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CART_WORK } from '../support/repo.ts';
import { deliveryShop, pullsOf, rolesOf, says, SESSIONS, writes } from './delivery-shop.ts';
import { expectExit } from './workshop.ts';

const PHASES = [
  'implement',
  'review',
  'fix',
  'review',
  'prepare-pr',
  'open-pr',
  'ci',
  'e2e-verify',
  'merge-check',
  'merge',
];

test('one phase after the other by hand: each works on what the ones before left, and no session is paid for twice', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1, ci: 'echo ran >> ../../ci-runs; node --test tests/' });
  const { repo } = shop;
  const refused = await repo.harness('run', '0001', '--phase', 'merge', '-y', '--json');
  expectExit(refused, 2);
  expect(refused.json()).toMatchObject({ reason: 'delivery-phase-first' });
  expect(`${refused.stdout}${refused.stderr}`).toContain('harness run 0001 --phase implement');
  for (const [n, phase] of PHASES.entries()) {
    const ran = await repo.harness('run', '0001', '--phase', phase, '-y', '--json');
    expectExit(ran, 0);
    const isLast = n === PHASES.length - 1;
    expect([phase, ran.json()]).toMatchObject([
      phase,
      { result: isLast ? 'landed' : 'partial', ...(isLast ? {} : { reason: 'phase' }) },
    ]);
    const status = (await repo.harness('status', '--json')).json();
    if (!isLast) expect(status).toMatchObject({ delivery: { plans: [{ id: '0001', reached: phase }] } });
    if (phase === 'implement') expectExit(await repo.harness('run', '0001', '--phase', 'ci', '-y'), 2);
  }
  expect(pullsOf(shop)).toMatchObject([{ number: 1, state: 'merged', title: 'Add a cart' }]);
  expect(repo.git('log', '--merges', '--format=%s')).toBe('Add a cart (#1)');
  const roles = rolesOf(shop).filter((role) => role !== null);
  expect(roles).toEqual(['implementer', 'reviewer', 'fixer', 'reviewer', 'preparer', 'merge-checker']);
  expect((await repo.harness('evidence', 'verify')).code).toBe(0);
});

const NOTE = {
  'src/note.mjs': 'export const note = () => 1;\n',
  'tests/note.test.mjs': CART_WORK['tests/cart.test.mjs']
    .replaceAll('cart', 'note')
    .replace("deepEqual(note(), ['goods'])", 'equal(note(), 1)'),
};

test('a role that needs a person: its plan waits, the other is merged, and the answer reaches the agent', async () => {
  const [cart] = SESSIONS;
  const others = SESSIONS.filter(({ when }) => when['role'] !== 'implementer' && when['role'] !== 'reviewer');
  const shop = deliveryShop(
    [
      {
        when: { role: 'implementer', item: '0001', session: 1 },
        turns: [[...writes({ 'src/half.mjs': 'export {};\n' }), { say: 'NEEDS: the name of the bank' }]],
      },
      { when: { role: 'implementer', item: '0001' }, turns: cart?.turns ?? [] },
      { when: { role: 'implementer', item: '0003' }, turns: [writes(NOTE)] },
      says('reviewer', null, 'No findings.'),
      says('preparer', '0003', 'Title: Add a note'),
      ...others,
    ],
    {
      plans: 1,
      files: { 'docs/plans/0003-note.md': '# Note\n\n- Test: tests/note.test.mjs\n\n## Work\n\nA note.\n' },
    },
  );
  const { repo } = shop;
  expectExit(await repo.harness('run', '-y', '--json'), 3);
  expect(pullsOf(shop)).toMatchObject([{ state: 'merged', title: 'Add a note' }]);
  for (const file of ['.harness/escalation.md', '.harness/delivery/0001/needs.md'])
    expect(repo.read(file)).toContain('the name of the bank');
  const { gates } = (await repo.harness('gates', '--json')).json() as {
    gates: readonly { id: string; question: string }[];
  };
  const [gate] = gates;
  expect(gate?.question).toContain('the name of the bank');
  await repo.harness('answer', gate?.id ?? '', 'continue', '-m', 'It is called Fidelia.');
  expectExit(await repo.harness('run', '-y'), 0);
  expect(pullsOf(shop).map(({ state }) => state)).toEqual(['merged', 'merged']);
  const prompts = readdirSync(join(repo.root, '.harness/sessions')).map((n) =>
    repo.read(`.harness/sessions/${n}/prompt-1.md`),
  );
  expect(prompts.filter((text) => text.includes('It is called Fidelia.')).length).toBeGreaterThan(1);
  expect(existsSync(join(repo.root, '.harness/delivery/0001/needs.md'))).toBe(false);
});
