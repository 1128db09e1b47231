// `land: branch` over several runs: what is not merged, deleted, in conflict; several lanes, tasks, a workflow, a linked work tree.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoAt } from '../support/repo.ts';
import { task } from '../support/task-record.ts';
import { branches, branching, itemsOn, landedIn, users, waiting, type Ended } from './land-branch-shop.ts';
import { at, lanesShop, make, meet } from './lanes-shop.ts';
import { made, taskList } from './task-list.ts';
import { workflowProject } from './workflow-project.ts';
import { expectExit, honest, session, work } from './workshop.ts';

test('the next run continues from what is not merged, with what the user committed and added meanwhile', async () => {
  const shop = branching();
  const first = (await shop.harness('run', '--json')).json() as Ended;
  shop.write('src/door', 'a red door\n');
  const list = JSON.parse(shop.read('features.json')) as { features: object[] };
  list.features.push({ id: 4, category: 'wood', description: 'A lamp', test_file: 'tests/lamp.test', passes: false });
  shop.write('features.json', `${JSON.stringify(list, null, 2)}\n`);
  shop.write('tests/lamp.test', 'lamp is there|grep -q lamp src/lamp\n');
  shop.git('add', '-A');
  shop.git('commit', '-qm', 'mine');
  const before = users(shop);
  shop.play([
    ...honest,
    {
      when: { item: 4 },
      turns: [
        [
          { write: { path: 'src/lamp', text: 'lamp\n' } },
          { write: { path: 'tests/lamp.test', text: 'lamp is there|grep -q lamp src/lamp\n' } },
          'claim',
        ],
      ],
    },
  ]);
  expect((await shop.harness('status', '--json')).json()).toMatchObject({
    items: { landed: 1, total: 4 },
    branch: { behind: 1 },
  });
  const second = await shop.harness('run', '--until-done', '--json');
  expectExit(second, 0);
  const { run, branch } = second.json() as Ended;
  expect(second.json()).toMatchObject({ result: 'done', landed: ['2', '3', '4'] });
  expect(branch).toMatchObject({ name: `harness/run/${run}`, behind: 0 });
  expect(itemsOn(shop, `main..harness/run/${run}`)).toEqual(['1', '2', '3', '4']);
  expect(shop.git('show', `harness/run/${run}:src/door`)).toBe('a red door');
  // A branch that somebody may be reading stays as it was.
  expect(itemsOn(shop, `harness/run/${first.run}`)).toEqual(['1']);
  expect(users(shop)).toEqual(before);
  expectExit(await shop.harness('evidence', 'verify', '--all'), 0);
  shop.git('merge', '-q', `harness/run/${run}`);
  expect(await landedIn(shop)).toBe(4);
});

test('what the user committed and what is not merged conflict: the run says so before an agent works, and nothing moves', async () => {
  const shop = branching({
    sessions: [
      session(1, { write: { path: 'src/door', text: 'a door of the agent\n' } }, ...work(1)),
      ...honest.slice(1),
    ],
  });
  expectExit(await shop.harness('run', '--json'), 0);
  shop.write('src/door', 'a door of mine\n');
  shop.git('commit', '-qam', 'mine');
  const before = users(shop);
  const ran = await shop.harness('run', '--json');
  expect(ran.json()).toMatchObject({ error: { code: 'run-branch-conflict' } });
  expect([users(shop), branches(shop).length]).toEqual([before, 2]);
});

test('decisions about the list are on the branch too, and the user’s files stay', async () => {
  const shop = branching();
  expectExit(await shop.harness('run', '--json'), 0);
  const before = users(shop);
  expectExit(await shop.harness('skip', '2', '--reason', 'later', '--yes'), 0);
  expectExit(await shop.harness('add', 'A lamp hangs', '--verify', 'tests/lamp.test', '--yes'), 0);
  expect(users(shop)).toEqual(before);
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ items: { landed: 1, skipped: 1, total: 4 } });
});

test('a user deletes the branch: what was on it is given up, named, and made again', async () => {
  const shop = branching();
  const first = (await shop.harness('run', '--json')).json() as Ended;
  const tip = shop.git('rev-parse', `harness/run/${first.run}`);
  shop.git('branch', '-q', '-D', `harness/run/${first.run}`);
  expect(await landedIn(shop)).toBe(0);
  const again = await shop.harness('run');
  expectExit(again, 0);
  expect(await landedIn(shop)).toBe(1);
  expect(again.stderr).toContain(`git branch harness/run/${first.run} ${tip.slice(0, 12)}`);
  expect(shop.git('cat-file', '-t', tip)).toBe('commit');
});

test('the branch is deleted while an item is at work: the run stops, and continues where it was once the branch is back', async () => {
  const shop = branching({ sessions: [session(1, ...waiting, ...work(1)), ...honest.slice(1)] });
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'at-work'));
  const [name = ''] = branches(shop);
  shop.git('branch', '-q', '-D', name);
  writeFileSync(join(shop.around, 'go'), '');
  const ended = await run.ended;
  expect(ended.json()).toMatchObject({ result: 'blocked', failure: { reason: 'run-branch-gone' } });
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ error: { code: 'run-branch-gone' } });
  shop.git('branch', '-q', name, shop.git('rev-parse', `refs/harness/run-tips/${name.replace('harness/run/', '')}`));
  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect(next.json()).toMatchObject({ landed: ['1'], branch: { name } });
  expect(shop.sessions()).not.toContain('2.json');
});

test('squashed instead of merged: the work is there, so nothing is open and nothing is made again', async () => {
  const shop = branching();
  const { run } = (await shop.harness('run', '--until-done', '--json')).json() as Ended;
  shop.git('merge', '-q', '--squash', `harness/run/${run}`);
  shop.git('commit', '-qm', 'all of it');
  const status = (await shop.harness('status', '--json')).json();
  expect(status).toMatchObject({ items: { landed: 3 } });
  expect(status).not.toHaveProperty('branch');
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'done', items: [] });
});

test('with several lanes all items are on the one branch, each once', async () => {
  const shop = lanesShop(3, 3, {
    config: 'land: branch',
    sessions: [1, 2, 3].map((item) =>
      at(
        item,
        ...meet(
          item,
          [1, 2, 3].filter((one) => one !== item),
        ),
        ...make(item),
      ),
    ),
  });
  const before = users(shop);
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  const name = `harness/run/${(ran.json() as Ended).run}`;
  expect([...itemsOn(shop, name)].sort()).toEqual(['1', '2', '3']);
  expect([users(shop), branches(shop)]).toEqual([before, [name, 'main']]);
  expectExit(await shop.harness('evidence', 'verify', '--all'), 0);
});

test('a list that no commit carries says itself what is done, and the code is on the branch', async () => {
  const shop = taskList([task('task-001'), task('task-002')], {
    config: 'land: branch',
    sessions: [made('task-001'), made('task-002')],
  });
  const main = shop.git('rev-parse', 'main');
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  const { branch } = ran.json() as Ended;
  expect(branch).toMatchObject({ commits: 2 });
  expect(shop.task('task-001').status).toBe('completed');
  expect(shop.git('rev-parse', 'main')).toBe(main);
  expect(existsSync(join(shop.root, 'task-001.txt'))).toBe(false);
  expect(shop.git('show', `${branch?.name ?? ''}:task-002.txt`)).toBe('task-002');
  expect((await shop.harness('status', '--json')).json()).toMatchObject({
    items: { landed: 2 },
    branch: { commits: 2 },
  });
});

test('a workflow lands on the branch of the run that began it, over several runs', async () => {
  const shop = workflowProject({ branch: '' }, { config: 'land: branch' });
  const here = shop.git('rev-parse', 'HEAD');
  expectExit(await shop.through(), 8);
  const [name = ''] = branches(shop).filter((one) => one.startsWith('harness/run/'));
  expectExit(await shop.through('proceed'), 8);
  const last = await shop.through('code-only');
  expectExit(last, 0);
  expect(last.json()).toMatchObject({ result: 'landed', branch: { name, commits: 1 } });
  expect([shop.git('rev-parse', 'HEAD'), shop.read('src/list.txt')]).toEqual([here, 'unsorted\n']);
  expect(shop.git('show', `${name}:src/list.txt`)).toBe('sorted');
});

test('a run that lands nothing leaves no branch', async () => {
  const shop = branching({ sessions: [session(1, { say: 'I do not know.' })] });
  await shop.harness('run', '--json');
  expect(branches(shop)).toEqual(['main']);
  expect(shop.git('for-each-ref', 'refs/harness/run-tips')).toBe('');
});

test('another branch, and another work tree, have runs of their own', async () => {
  const shop = branching();
  expectExit(await shop.harness('run', '--json'), 0);
  shop.git('switch', '-qc', 'other');
  expect(await landedIn(shop)).toBe(0);
  const beside = join(shop.around, 'linked');
  shop.git('worktree', 'add', '-q', beside, 'main');
  const linked = repoAt(beside, shop.env['HOME'] ?? '');
  const second = await linked.harness('run', '--json');
  expect(second.json()).toMatchObject({ landed: ['1'] });
  const name = `harness/run/${(second.json() as Ended).run}`;
  expect(itemsOn(shop, name)).toEqual(['1']);
});

test('an item that was begun on the current branch ends there; the run after it has a branch', async () => {
  const shop = branching({ sessions: [session(1, ...waiting, ...work(1)), ...honest.slice(1)] });
  const later = shop.read('.harness.yaml');
  shop.write('.harness.yaml', later.replace('land: branch', 'isolation: worktree'));
  shop.git('commit', '-qam', 'as before');
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'at-work'));
  run.signal('SIGKILL');
  await run.ended;
  shop.write('.harness.yaml', later);
  shop.git('commit', '-qam', 'on a branch from now on');
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await shop.harness('run', '--json'), 0);
  expect([branches(shop), itemsOn(shop, 'main')]).toEqual([['main'], ['1']]);
  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect(itemsOn(shop, `main..harness/run/${(next.json() as Ended).run}`)).toEqual(['2']);
});

test('an item that waits for an answer where it began: `land: branch` holds from the run after it, and a run before says so', async () => {
  const shop = branching({
    files: {
      'features.json': JSON.stringify({
        features: [
          {
            id: 1,
            category: 'bench',
            description: 'A bench looks right',
            test_file: 'tests/bench.test',
            verification_type: 'hybrid',
            manual_checks: ['It is level'],
            passes: false,
          },
        ],
      }),
    },
  });
  const later = shop.read('.harness.yaml');
  const set = (config: string, why: string): void => {
    shop.write('.harness.yaml', config);
    shop.git('commit', '-qam', why);
  };
  set(later.replace('land: branch', 'isolation: worktree'), 'as before');
  expectExit(await shop.harness('run', '--json'), 8);
  set(later, 'on a branch from now on');
  expectExit(await shop.harness('answer', 'g-1', 'verified', '-m', 'level'), 0);
  const refused = await shop.harness('run', '--json');
  expectExit(refused, 5);
  expect(refused.json()).toMatchObject({ error: { code: 'run-branch-late' } });
  expect([branches(shop), itemsOn(shop, 'main')]).toEqual([['main'], []]);
  set(later.replace('land: branch', 'land: commit'), 'until it has ended');
  expectExit(await shop.harness('run', '--json'), 0);
  expect([branches(shop), itemsOn(shop, 'main')]).toEqual([['main'], ['1']]);
});

test('killed in the middle of a turn: the next run continues on the same branch, and the user’s commit is no hindrance', async () => {
  const shop = branching({ sessions: [session(1, ...waiting, ...work(1)), ...honest.slice(1)] });
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'at-work'));
  run.signal('SIGKILL');
  await run.ended;
  const [name = ''] = branches(shop);
  shop.write('notes.txt', 'mine\n');
  shop.git('add', 'notes.txt');
  shop.git('commit', '-qm', 'mine');
  writeFileSync(join(shop.around, 'go'), '');
  const next = await shop.harness('run', '--until-done', '--json');
  expectExit(next, 0);
  expect(next.json()).toMatchObject({ branch: { name, commits: 3, behind: 1 } });
  expect([branches(shop), itemsOn(shop, name)]).toEqual([
    [name, 'main'],
    ['1', '2', '3'],
  ]);
  expect(shop.processes()).toEqual([]);
});
