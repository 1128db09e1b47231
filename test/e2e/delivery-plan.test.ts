// A specification becomes plan files on the base branch of the remote, whatever interrupts it; and a run begins with them.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../support/repo.ts';
import {
  CART_PLAN as CART,
  CRITERIA,
  deliveryShop,
  DRAFTS,
  drafts,
  PAY_PLAN as PAY,
  planFile as plan,
  planner,
  pullsOf,
  SESSIONS,
  SPEC,
  type Session,
  type Shop,
  type Steps,
} from './delivery-shop.ts';
import { IS_EXHAUSTIVE } from '../support/effort.ts';

const HELD: Steps = [{ write: { path: '../at', text: '' } }, { wait_for_file: '../go' }];

const shopWith = (sessions: readonly Session[], files = {}): Shop =>
  deliveryShop([...sessions, ...SESSIONS], { plans: 0, files: { 'SPEC.md': SPEC, ...files } });
const remoteMain = ({ repo }: Shop): string => repo.git('ls-remote', 'origin', 'refs/heads/main').split('\t')[0] ?? '';
const subjects = ({ repo }: Shop): readonly string[] => repo.git('log', '--format=%s').split('\n');
const plansOn = ({ repo }: Shop): readonly string[] =>
  repo.git('ls-tree', '-r', '--name-only', 'main', 'docs/plans').split('\n');

/** Starts the command, and resolves when its planner is at work. */
async function atWork({ repo }: Shop, ...words: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: repo.root, env: repo.env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  while (!existsSync(join(repo.root, '..', 'at'))) {
    if (child.exitCode !== null) throw new Error('it ended before its planner was at work');
    await pause(50);
  }
  return { child, ended, letGo: () => writeFileSync(join(repo.root, '..', 'go'), '') };
}

test('a specification becomes plans that are pushed; a mistake goes back once', async () => {
  const wrong = { ...DRAFTS, '0002-pay.md': PAY.replace('PAY-1', 'PAY-9') };
  const shop = shopWith([planner(drafts(wrong), drafts({ '0002-pay.md': PAY }))]);
  const { repo } = shop;
  const planned = await repo.harness('plan', '--json');
  expect([planned.code, planned.stderr]).toEqual([0, '']);
  expect(planned.json()).toMatchObject({
    result: 'landed',
    spec: 'SPEC.md',
    made: ['SPEC.acceptance.md', 'docs/plans/0001-cart.md', 'docs/plans/0002-pay.md'],
    plans: [
      { id: '0001', title: 'Cart', depends_on: [], test_file: 'tests/cart.test.mjs' },
      { id: '0002', title: 'Pay', depends_on: ['0001'] },
    ],
  });
  const prompt = (turn: number): string => repo.read(`.harness/sessions/1/prompt-${turn}.md`);
  expect(prompt(1)).toContain('**First number:** 0001');
  expect(prompt(2)).toContain('0002-pay.md: no acceptance criterion has this tag: PAY-9');
  expect(prompt(2)).toContain('No plan has the tag PAY-1');
  expect(subjects(shop)).toEqual(['chore: plan 2 pieces of work', 'start']);
  expect(repo.git('rev-parse', 'main')).toBe(remoteMain(shop));
  expect(repo.read('SPEC.acceptance.md')).toBe(CRITERIA);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect((await repo.harness('items', '--json')).json()).toMatchObject({
    items: [
      { id: '0001', status: 'ready' },
      { id: '0002', status: 'pending' },
    ],
  });
});

test('mistakes that stay are refused, and nothing has changed', async () => {
  const shop = shopWith([{ ...planner(drafts({ '0001-cart.md': CART })), repeat_last: true } as Session]);
  const refused = await shop.repo.harness('plan');
  expect(refused.code).toBe(9);
  expect(refused.stdout).toContain('There are no acceptance criteria in .harness/plan/acceptance.md');
  expect(subjects(shop)).toEqual(['start']);
  expect(shop.repo.git('status', '--porcelain')).toBe('');
});

test('killed while the planner works and started again, it ends with one commit', async () => {
  const shop = shopWith([planner([...HELD, ...drafts(DRAFTS)])]);
  const { child, ended, letGo } = await atWork(shop, 'plan');
  child.kill('SIGKILL');
  await ended;
  expect((await shop.repo.harness('run', '0001')).code).not.toBe(0);
  letGo();
  const planned = await shop.repo.harness('plan');
  expect([planned.code, planned.stderr]).toEqual([0, expect.any(String)]);
  expect(planned.stdout).toContain('0002 Pay (after 0001)');
  expect(subjects(shop)).toEqual(['chore: plan 2 pieces of work', 'start']);
  expect(shop.repo.git('rev-parse', 'main')).toBe(remoteMain(shop));
});

test('a changed specification adds plans after those that are there, and after those that others added meanwhile', async () => {
  const there = {
    'docs/plans/completed/0001-cart.md': CART,
    'docs/plans/0002-pay.md': PAY,
    'SPEC.acceptance.md': `${CRITERIA}- GIFT-1: A cart can be a gift.\n- BOX-1: A gift has a box.\n`,
  };
  const more = {
    '0003-gift.md': plan('Gift', 'gift', '- Depends on: 0001\n- Tags: GIFT-1\n'),
    '0004-box.md': plan('Box', 'box', '- Depends on: 0003\n- Tags: BOX-1\n'),
  };
  const shop = shopWith([planner([...HELD, ...drafts(more)])], there);
  const { repo } = shop;
  const { ended, letGo } = await atWork(shop, 'plan');
  const other = join(repo.root, '..', 'other');
  mkdirSync(other);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: other, env: repo.env });
  git('clone', '-q', shop.remote, '.');
  writeFileSync(join(other, 'docs/plans/0003-other.md'), plan('Other', 'other', ''));
  git('add', '.');
  git('-c', 'user.name=Anna', '-c', 'user.email=anna@shop.example', 'commit', '-qm', 'docs: another plan');
  git('push', '-q', 'origin', 'HEAD:main');
  letGo();
  expect(await ended).toBe(0);
  expect(plansOn(shop)).toEqual([
    'docs/plans/0002-pay.md',
    'docs/plans/0003-other.md',
    'docs/plans/0004-gift.md',
    'docs/plans/0005-box.md',
    'docs/plans/completed/0001-cart.md',
  ]);
  expect(repo.read('docs/plans/0005-box.md')).toContain('- Depends on: 0004');
  expect(repo.read('docs/plans/completed/0001-cart.md')).toBe(CART);
  expect(subjects(shop)).toEqual(['chore: plan 2 pieces of work', 'docs: another plan', 'start']);
  const prompt = repo.read('.harness/sessions/1/prompt-1.md');
  expect(prompt).toContain('- 0001 "Cart" (merged; tags CART-1)');
  expect(prompt).toContain('**First number:** 0003');
});

test.runIf(IS_EXHAUSTIVE)('a run without plans begins with them, and delivers the first', async () => {
  const shop = shopWith([planner(drafts(DRAFTS))]);
  const ran = await shop.repo.harness('run', '--max-items', '1');
  expect([ran.code, ran.stderr]).toEqual([expect.any(Number), expect.any(String)]);
  expect(pullsOf(shop)).toMatchObject([{ number: 1, state: 'merged', title: 'Add a cart' }]);
  expect(plansOn(shop)).toEqual(['docs/plans/0002-pay.md', 'docs/plans/completed/0001-cart.md']);
  expect(subjects(shop)).toContain('chore: plan 2 pieces of work');
});

test('without a specification it says what to write, and without a forge the commit is here', async () => {
  const shop = deliveryShop([planner(drafts(DRAFTS))], { plans: 0 });
  const { repo } = shop;
  const refused = await repo.harness('plan');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('SPEC.md cannot be read: no such file');
  expect(refused.stderr).toContain('Write into a text file what to build');
  writeFileSync(join(repo.root, '.harness.yaml'), repo.read('.harness.yaml').replace(/^forge:.*$/m, ''));
  writeFileSync(join(repo.root, 'SPEC.md'), SPEC);
  const planned = await repo.harness('plan');
  expect([planned.code, planned.stderr]).toEqual([0, expect.any(String)]);
  expect(plansOn(shop)).toEqual(['docs/plans/0001-cart.md', 'docs/plans/0002-pay.md']);
  expect(
    repo
      .git('show', '--name-only', '--format=%s', 'HEAD')
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual([
    'chore: plan 2 pieces of work',
    'SPEC.acceptance.md',
    'docs/plans/0001-cart.md',
    'docs/plans/0002-pay.md',
  ]);
  expect(repo.git('rev-parse', 'main')).toBe(remoteMain(shop));
});
