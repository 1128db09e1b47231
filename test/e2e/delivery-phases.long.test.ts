// A run that ends after a phase of a plan, and what is refused of its options and keys.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deliveryShop, pullsOf, rolesOf, SESSIONS } from './delivery-shop.ts';
import { expectExit } from './workshop.ts';

test('a run that ends after a phase: the next one continues there; end-to-end tests that cannot be started stop it before an agent is paid', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1, config: 'e2e: { command: no-such-program --all }' });
  const { repo } = shop;
  const blocked = await repo.harness('run', '-y', '--json');
  expectExit(blocked, 5);
  expect(blocked.json()).toMatchObject({ reason: 'command-missing' });
  expect(existsSync(join(repo.root, '.harness/sessions'))).toBe(false);
  for (const phase of ['implement', 'review']) {
    const ran = await repo.harness('run', '0001', '--phase', phase, '--skip-e2e', '-y', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'partial', reason: 'phase' });
  }
  const early = await repo.harness('run', '0001', '--phase', 'merge', '--skip-e2e', '-y', '--json');
  expectExit(early, 2);
  expect(early.json()).toMatchObject({ reason: 'delivery-phase-first' });
  expect(`${early.stdout}${early.stderr}`).toContain('harness run 0001 --phase fix');
  expectExit(await repo.harness('run', '-y', '--skip-e2e'), 0);
  expect(pullsOf(shop)[0]).toMatchObject({ state: 'merged', body: expect.stringContaining('--skip-e2e') as unknown });
  const roles = rolesOf(shop).filter((role) => role !== null);
  expect(roles).toEqual(['implementer', 'reviewer', 'fixer', 'reviewer', 'preparer', 'merge-checker']);
  expect((await repo.harness('evidence', 'verify')).code).toBe(0);
});

test.each([
  [['run', '--phase', 'ci'], 'for one item'],
  [['run', '0001', '--phase', 'plan'], '--phase must be one of implement'],
  [['run', '0001', '--style', 'auto'], 'for the playbook workflow'],
])('refused: %j', async (args, words) => {
  const { repo } = deliveryShop(SESSIONS, { plans: 1 });
  const ran = await repo.harness(...args, '-y');
  expectExit(ran, 2);
  expect(ran.stderr).toContain(words);
});

test('a folder outside of the repository, and a command that is missing, are mistakes of the configuration', async () => {
  const checked = async (e2e: string): Promise<string> => {
    const { repo } = deliveryShop(SESSIONS, { plans: 1, config: `e2e: ${e2e}` });
    const ran = await repo.harness('run', '-y');
    expectExit(ran, 2);
    return ran.stderr;
  };
  expect(await checked('{ command: node e2e.mjs, artifactDirs: [../report] }')).toMatch(/artifact/);
  expect(await checked('{ artifactDirs: [report] }')).toContain('e2e.command');
});
