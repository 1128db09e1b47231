// Several work trees of one repository: each has its own run, and none takes what is another's.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { repoAt, type Repo } from '../support/repo.ts';
import { at, expectAllLanded, lanesShop, make, meet } from './lanes-shop.ts';
import { expectExit, session, startProgram, work, workshop, type Steps } from './workshop.ts';

/** The honest work on #1 with a stop in the middle: `NAME-at-work` appears, and `NAME-go` is waited for. */
const stopping = (name: string): Steps => [
  { write: { path: 'src/half', text: 'half\n' } },
  { write: { path: `../${name}-at-work`, text: '' } },
  { wait_for_file: `../${name}-go` },
  { delete: 'src/half' },
  ...work(1),
];

function twoTrees() {
  const shop = workshop({ sessions: [session(1, ...stopping('main'))] });
  const home = shop.env['HOME'] ?? '';
  const other = repoAt(join(shop.around, 'the other, üben'), home);
  shop.git('worktree', 'add', '-q', '-b', 'other', other.root);
  other.write('.harness.yaml', other.read('.harness.yaml').replace('../scenario.json', '../other.json'));
  other.git('commit', '-qam', 'other agents');
  shop.play([session(1, ...stopping('other'))], 'other.json');
  const go = (name: string): void => writeFileSync(join(shop.around, `${name}-go`), '');
  return { shop, other, go };
}

const landings = (repo: Repo, since: string): readonly string[] =>
  repo.git('log', '--format=%s', '--reverse', `${since}..`).split('\n');

test('two runs in two work trees, one killed in the middle of a turn: each keeps its own, and both land', async () => {
  const { shop, other, go } = twoTrees();
  const start = shop.git('rev-parse', 'HEAD');
  const begun = other.git('rev-parse', 'HEAD');
  const here = shop.start('run', '--json');
  await here.until(join(shop.around, 'main-at-work'));
  const there = startProgram(other, ['run', '--json']);
  await there.until(join(shop.around, 'other-at-work'));
  here.signal('SIGKILL');
  await here.ended;
  // A run in the other work tree neither ends what this one left, nor is it taken up there.
  expectExit(await shop.harness('status', '--json'), 0);
  expect((await other.harness('run', '--json')).json()).toMatchObject({ error: { code: 'locked' } });
  go('other');
  const ended = await there.ended;
  expectExit(ended, 0);
  expect(ended.json()).toMatchObject({ result: 'landed', items: [{ id: '1', session: 2 }] });
  expect(landings(other, begun).at(-1)).toContain('A bench can be set up');
  expect(existsSync(join(shop.root, 'src/half'))).toBe(true);
  expect(existsSync(join(other.root, 'src/half'))).toBe(false);

  go('main');
  const resumed = await shop.harness('run', '--json');
  expectExit(resumed, 0);
  expect(resumed.json()).toMatchObject({ result: 'landed', items: [{ id: '1', session: 1 }] });
  expect(landings(shop, start).at(-1)).toContain('A bench can be set up');
  expect(existsSync(join(shop.root, 'src/half'))).toBe(false);
  for (const repo of [shop, other]) {
    expect(repo.git('status', '--porcelain')).toBe('');
    expectExit(await repo.harness('evidence', 'verify', '--all'), 0);
  }
  const costs = parse(readFileSync(join(shop.privateDir, 'costs.yaml'), 'utf8')) as object;
  expect(costs).toMatchObject({ cumulative: { total_sessions: 2 } });
  expect(shop.processes()).toEqual([]);
});

test('the same item in two work trees: unfinished work is continued in its own, and never taken, dropped or landed by the other', async () => {
  const { shop, other, go } = twoTrees();
  const half = [{ write: { path: 'src/half', text: 'half\n' } }, 'hang'] as const;
  shop.play([session(1, ...half)]);
  const limited = shop.read('.harness.yaml');
  shop.write('.harness.yaml', `${limited}session: { timeout_minutes: 0.02 }\n`);
  shop.git('commit', '-qam', 'short sessions');
  const cut = (await shop.harness('run', '--json')).json();
  expect(cut).toMatchObject({ result: 'partial', items: [{ id: '1', session: 1 }] });
  const kept = shop.git('rev-parse', 'refs/harness/wip/1');

  // Its own unfinished work of item 1, by an agent that says nothing of the other's.
  shop.play([session(1, { write: { path: 'src/other half', text: 'half\n' } }, 'hang')], 'other.json');
  other.write('.harness.yaml', `${other.read('.harness.yaml')}session: { timeout_minutes: 0.02 }\n`);
  other.git('commit', '-qam', 'short sessions');
  expect((await other.harness('run', '--json')).json()).toMatchObject({ result: 'partial', items: [{ session: 2 }] });
  expect((await other.harness('attempts', '--json')).json()).toMatchObject({ attempts: [] });
  expect(shop.git('rev-parse', 'refs/harness/wip/1')).toBe(kept);
  other.write('.harness.yaml', other.read('.harness.yaml').replace('timeout_minutes: 0.02', 'timeout_minutes: 5'));
  other.git('commit', '-qam', 'long sessions');
  go('other');
  shop.play([session(1, ...stopping('other'))], 'other.json');
  expect((await other.harness('run', '--json')).json()).toMatchObject({ result: 'landed', items: [{ session: 3 }] });
  expect([existsSync(join(other.root, 'src/half')), existsSync(join(other.root, 'src/other half'))]).toEqual([
    false,
    true,
  ]);
  expect(shop.git('rev-parse', 'refs/harness/wip/1')).toBe(kept);

  shop.write('.harness.yaml', limited);
  shop.git('commit', '-qam', 'long sessions');
  shop.play([session(1, ...work(1))]);
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'landed', items: [{ session: 4 }] });
  expect(shop.read('src/half')).toBe('half\n');
  for (const repo of [shop, other]) expectExit(await repo.harness('evidence', 'verify', '--all'), 0);
  const left = ['refs/harness/wip', 'refs/harness/wip-of', 'refs/harness/pending', 'refs/harness/verified'];
  expect(shop.git('for-each-ref', '--format=%(refname)', ...left)).toBe('');
});

test('unfinished work of a work tree that was removed is an attempt, and no other work tree continues it', async () => {
  const { shop, other } = twoTrees();
  shop.play([session(1, { write: { path: 'src/half', text: 'half\n' } }, 'hang')], 'other.json');
  other.write('.harness.yaml', `${other.read('.harness.yaml')}session: { timeout_minutes: 0.02 }\n`);
  other.git('commit', '-qam', 'short sessions');
  expect((await other.harness('run', '--json')).json()).toMatchObject({ result: 'partial' });
  shop.git('worktree', 'remove', '--force', other.root);
  shop.git('worktree', 'add', '-q', other.root, 'other');
  shop.play([session(1, ...work(1))], 'other.json');
  expect((await other.harness('run', '--json')).json()).toMatchObject({ result: 'landed' });
  expect(existsSync(join(other.root, 'src/half'))).toBe(false);
  expect(shop.git('show', 'refs/harness/attempts/1/1:src/half')).toBe('half');
  expect(shop.git('for-each-ref', 'refs/harness/wip-of')).toBe('');
});

test('a copy of an interrupted repository works by itself: the original keeps its agent and its files', async () => {
  const shop = workshop({ sessions: [session(1, ...stopping('main'))] });
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'main-at-work'));
  const copy = repoAt(join(shop.around, 'elsewhere', 'copy'), shop.env['HOME'] ?? '');
  cpSync(shop.root, copy.root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  for (const file of ['scenario.json', 'main-at-work'])
    cpSync(join(shop.around, file), join(shop.around, 'elsewhere', file));
  writeFileSync(join(shop.around, 'elsewhere', 'main-go'), '');
  // A git that answers questions ends by itself when no more are asked.
  const processes = (): readonly string[] => shop.processes().filter((line) => !/^\d+ git /.test(line));
  const before = processes();
  expect(before).not.toEqual([]);
  const copied = await copy.harness('run', '--json');
  expectExit(copied, 0);
  expect(copied.json()).toMatchObject({ result: 'landed', items: [{ id: '1', session: 1 }] });
  expect(processes()).toEqual(before);
  expect(existsSync(join(shop.root, 'src/half'))).toBe(true);
  writeFileSync(join(shop.around, 'main-go'), '');
  const ended = await run.ended;
  expectExit(ended, 0);
  for (const repo of [shop, copy]) {
    expect(repo.git('log', '-1', '--format=%s')).toContain('A bench can be set up');
    expect(repo.git('status', '--porcelain')).toBe('');
  }
});

test('a copy of an interrupted repository with lanes, made together with their work trees, leaves those of the original alone', async () => {
  const sessions = [1, 2].map((item) => at(item, ...meet(item, []), { wait_for_file: '../go' }, ...make(item)));
  const shop = lanesShop(2, 2, { sessions });
  const run = shop.start('run', '--until-done', '--json');
  for (const item of [1, 2]) await run.until(join(shop.around, `at-${item}`));
  run.signal('SIGKILL');
  await run.ended;
  const copy = repoAt(join(shop.around, 'elsewhere', 'shop'), shop.env['HOME'] ?? '');
  for (const name of readdirSync(shop.around).filter((one) => one !== 'elsewhere' && one !== 'home'))
    cpSync(join(shop.around, name), join(shop.around, 'elsewhere', name), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
  const links = (): readonly string[] => [
    ...[1, 2].map((lane) => readFileSync(join(shop.around, `.shop-harness-${lane}`, '.git'), 'utf8')),
    shop.git('worktree', 'list'),
  ];
  const before = links();
  writeFileSync(join(shop.around, 'elsewhere', 'go'), '');
  expectExit(await copy.harness('run', '--until-done', '--json'), 0);
  expect(links()).toEqual(before);
  expect(copy.git('worktree', 'list')).not.toContain(`${shop.around}/.shop-harness`);
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
  await expectAllLanded(shop, 2);
  expect(copy.git('log', '--format=%s').split('\n')).toHaveLength(3);
});

test('what `git clean -fdx` removes was a copy: money, numbers of sessions and the tests that passed are kept', async () => {
  const costing = (usd: number): Steps => [{ usage: { input: 10, cost_usd: usd } }];
  const shop = workshop({
    config: 'costs: { total_project_usd: 5 }',
    sessions: [
      session(1, ...work(1), ...costing(4.9)),
      session(2, ...work(2), ...costing(0.05)),
      session(3, ...work(3), ...costing(0.2)),
    ],
  });
  const clean = (): string => shop.git('clean', '-fdxq');
  expectExit(await shop.harness('run', '--json'), 0);
  clean();
  expect(existsSync(join(shop.root, '.harness'))).toBe(false);
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ cost: { usd: 4.9 } });
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ landed: ['2'], items: [{ session: 2 }] });
  clean();
  // 4.95 of 5 are spent: the third session ends where the budget does.
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'gate' });
  const baseline = JSON.parse(readFileSync(join(shop.privateDir, 'test_baseline.json'), 'utf8')) as object;
  expect(baseline).toMatchObject({ total_passing: 3 });
});
