// Issues as the plans of a delivery, on GitHub (the stand-in, each request judged by GitHub's own description): an issue becomes a plan file on the base
// branch, is delivered by the daemon, and is closed with its evidence.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checksPass, fileIssue } from '../support/github/people.ts';
import { PROGRAM } from '../support/repo.ts';
import { at, daemon, held, isAlive, letGo, mergesIn, until } from './delivery-daemon.ts';
import { plansOf, shopOfIssues } from './delivery-on-github.ts';
import { deliveryShop, SESSIONS } from './delivery-shop.ts';
import { expectExit } from './workshop.ts';
import { untilThere } from '../support/signals.ts';

test('the daemon takes issues that are filed while it waits, merges their plans once, and closes them', async () => {
  const { shop, github } = await shopOfIssues('daemon: { poll_seconds: 1 }', held(SESSIONS, 'reviewer'));
  const first = await daemon(shop);
  fileIssue(github, 'Pay for it', 'Depends on #2\n\nTest: tests/pay.test.mjs');
  fileIssue(github, 'A cart', 'It holds goods.\n\n- [ ] it opens\n\nTest: tests/cart.test.mjs');
  await untilThere(() => at(shop, 'reviewer'));
  expect(plansOf(github)).toEqual(['docs/plans/0001-a-cart.md', 'docs/plans/0002-pay-for-it.md']);
  expect(github.repo.git('show', 'main:docs/plans/0001-a-cart.md')).toContain('## Work\n\nIt holds goods.');
  expect(github.repo.git('show', 'main:docs/plans/0002-pay-for-it.md')).toContain('- Depends on: 0001');
  process.kill(first, 'SIGKILL');
  await untilThere(() => !isAlive(first));
  await daemon(shop);
  letGo(shop);
  const state = await until(shop, (now) => {
    checksPass(github);
    return mergesIn(now).length === 2;
  });
  expect(state.blocked).toEqual([]);
  expect(plansOf(github)).toEqual(['docs/plans/completed/0001-a-cart.md', 'docs/plans/completed/0002-pay-for-it.md']);
  await untilThere(() => [...github.state.issues.values()].filter(({ state: is }) => is === 'closed').length === 2);
  expect(github.state.pulls.size).toBe(2);
  expect(github.violations).toEqual([]);
});

test('killed at any moment, each plan is added once', async () => {
  const { repo, remote } = deliveryShop(SESSIONS, { plans: 0 });
  for (let n = 1; n <= 12; n += 1) {
    const title = `Part ${n} of it`;
    const args = [PROGRAM, 'add', title];
    const killed = spawn(process.execPath, args, { cwd: repo.root, env: repo.env, stdio: 'ignore' });
    const ended = new Promise((resolve) => killed.once('exit', resolve));
    await pause(n * 70);
    killed.kill('SIGKILL');
    await ended;
    expectExit(await repo.harness('add', title), 0);
  }
  expectExit(await repo.harness('add', 'The last part'), 0);
  const files = repo
    .git('ls-tree', '--name-only', 'main', 'docs/plans/')
    .split('\n')
    .filter((file) => file.endsWith('.md'));
  expect(files).toHaveLength(13);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.git('ls-remote', remote, 'refs/heads/main').split('\t')[0]).toBe(repo.git('rev-parse', 'main'));
});
