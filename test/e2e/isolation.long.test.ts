// `isolation: worktree`: agents work beside the user's work tree, which follows the branch when something lands.
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repoAt } from '../support/repo.ts';
import { task } from '../support/task-record.ts';
import { made, taskList } from './task-list.ts';
import { DOCS, workflowProject } from './workflow-project.ts';
import { expectExit, honest, session, work, workshop, type Options, type Steps } from './workshop.ts';

const isolated = (options: Options = {}) => {
  const shop = workshop({ ...options, config: `isolation: worktree\n${options.config ?? ''}` });
  return { ...shop, beside: join(shop.around, '.shop-harness') };
};
const stopping: Steps = [
  { write: { path: 'src/half', text: 'half\n' } },
  { write: { path: '../at-work', text: '' } },
  { wait_for_file: '../go' },
  { delete: 'src/half' },
  ...work(1),
];

test('the list is worked through: each landing is in the user’s files, and nothing is left behind but one work tree', async () => {
  const shop = isolated({ sessions: honest });
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'done', landed: ['1', '2', '3'] });
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.git('branch', '--format=%(refname:short)')).toBe('main');
  expect(shop.read('src/board')).toBe('board\n');
  expect(shop.features().every(({ passes }) => passes === true)).toBe(true);
  expect(shop.git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm)).toEqual([
    `worktree ${shop.root}`,
    `worktree ${shop.beside}`,
  ]);
  expectExit(await shop.harness('evidence', 'verify', '--all'), 0);
});

test('while an agent works the user’s files are their own: what they edit elsewhere stays, as they left it', async () => {
  const shop = isolated({ sessions: [session(1, ...stopping)] });
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'at-work'));
  expect(existsSync(join(shop.root, 'src/half'))).toBe(false);
  shop.write('src/door', 'a blue door\n');
  shop.write('notes.txt', 'mine\n');
  shop.git('add', 'notes.txt');
  writeFileSync(join(shop.around, 'go'), '');
  const ended = await run.ended;
  expectExit(ended, 0);
  expect(shop.read('src/bench')).toBe('bench\n');
  expect(shop.git('status', '--porcelain')).toBe('A  notes.txt\n M src/door');
  expect(shop.git('diff', '--stat')).toContain('src/door');
});

test('a file that the user is editing is in the way of that landing alone: nothing of theirs is lost, nor of the agent’s', async () => {
  const shop = isolated({ sessions: [session(1, ...stopping)] });
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'at-work'));
  const before = shop.git('rev-parse', 'main');
  shop.write('tests/bench.test', 'mine|true\n');
  writeFileSync(join(shop.around, 'go'), '');
  expect((await run.ended).json()).toMatchObject({ result: 'gate', gates: ['g-1'] });
  expect((await shop.harness('gates', '--json')).json()).toMatchObject({
    gates: [{ subject: 'landing-in-the-way', item: '1' }],
  });
  expect(shop.read('tests/bench.test')).toBe('mine|true\n');
  expect(shop.git('status', '--porcelain')).toBe(' M tests/bench.test');
  expect(shop.git('log', '--format=%s', `${before}..main`)).not.toContain('A bench can be set up');
  // An answer too early asks again.
  expectExit(await shop.harness('answer', 'g-1', 'retry'), 0);
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ result: 'gate', gates: ['g-2'] });
  expect(shop.read('tests/bench.test')).toBe('mine|true\n');
  shop.git('stash', '-q');
  expectExit(await shop.harness('answer', 'g-2', 'retry'), 0);
  const landed = await shop.harness('run', '--json');
  expectExit(landed, 0);
  expect(landed.json()).toMatchObject({ landed: ['1'], items: [{ session: 1 }] });
  expect(shop.read('src/bench')).toBe('bench\n');
  expect(shop.git('stash', 'list')).not.toBe('');
});

test('a landing that the user refuses for their files is an attempt, and theirs stay', async () => {
  const shop = isolated({ sessions: [session(1, ...stopping)] });
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'at-work'));
  shop.write('src/bench', 'mine\n');
  writeFileSync(join(shop.around, 'go'), '');
  await run.ended;
  expectExit(await shop.harness('answer', 'g-1', 'reject'), 0);
  expect((await shop.harness('run', '--json')).json()).toMatchObject({
    result: 'rejected',
    items: [{ id: '1', problems: ['landing-in-the-way'] }],
  });
  expect(shop.read('src/bench')).toBe('mine\n');
  expect((await shop.harness('attempts', '1', '--json')).stdout).toContain('refs/harness/attempts/1/1');
});

test('killed in the middle of a turn: the next run continues in the same place', async () => {
  const shop = isolated({ sessions: [session(1, ...stopping)] });
  const run = shop.start('run', '--json');
  await run.until(join(shop.around, 'at-work'));
  run.signal('SIGKILL');
  await run.ended;
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(existsSync(join(shop.beside, 'src/half'))).toBe(true);
  writeFileSync(join(shop.around, 'go'), '');
  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect(shop.read('src/bench')).toBe('bench\n');
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.processes()).toEqual([]);
});

test('in-place again: the work tree beside it is removed', async () => {
  const shop = isolated({ sessions: honest });
  expectExit(await shop.harness('run', '--json'), 0);
  shop.write('.harness.yaml', shop.read('.harness.yaml').replace('isolation: worktree', 'isolation: in-place'));
  shop.git('commit', '-qam', 'in place');
  expectExit(await shop.harness('run', '--json'), 0);
  expect(existsSync(shop.beside)).toBe(false);
  expect(shop.git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(readFileSync(join(shop.root, 'src/saw'), 'utf8')).toBe('saw\n');
});

test('a list of tasks: the list and its log stay the user’s, the code is made beside and lands', async () => {
  const shop = taskList([task('task-001'), task('task-002', { max_attempts: 1 }), task('task-003')], {
    config: 'isolation: worktree',
    isTracked: true,
    sessions: [
      made('task-001', { run: 'grep -q task-003 harness-tasks.json' }),
      { when: { item: 'task-002' }, turns: [[{ write: { path: 'junk.txt', text: 'x' } }, { say: 'Done.' }]] },
      made('task-003'),
    ],
  });
  expectExit(await shop.harness('run', '--json'), 3);
  expect(['task-001', 'task-002', 'task-003'].map((id) => shop.task(id).status)).toEqual([
    'completed',
    'failed',
    'completed',
  ]);
  expect(shop.read('task-003.txt')).toBe('task-003\n');
  expect(existsSync(join(shop.around, '.shop-harness', 'junk.txt'))).toBe(false);
  expect(shop.git('log', '--format=%s', '--', 'harness-tasks.json').split('\n')).toEqual(['start']);
  expect(shop.git('status', '--porcelain')).toBe(' M harness-tasks.json');
});

test('a workflow: documents and code are made beside, over several runs; the user’s files follow its commit', async () => {
  const shop = workflowProject({}, { config: 'isolation: worktree' });
  const beside = join(shop.around, '.shop-harness');
  expectExit(await shop.through(), 8);
  expect(shop.state()).toMatchObject({ phase: 'plan_done' });
  expect(readFileSync(join(beside, DOCS, 'spec.md'), 'utf8')).toContain('Sort the list.');
  expect(existsSync(join(shop.root, DOCS))).toBe(false);
  expectExit(await shop.through('proceed'), 8);
  expect(shop.read('src/list.txt')).toBe('unsorted\n');
  const last = await shop.through('code-only');
  expectExit(last, 0);
  expect(last.json()).toMatchObject({ result: 'landed', items: [{ result: 'landed' }] });
  expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
  expect(shop.read('src/list.txt')).toBe('sorted\n');
  expect(shop.git('status', '--porcelain')).toBe('');
  expectExit(await shop.harness('evidence', 'verify', '--all'), 0);
});

test('the copy of a repository has a work tree of its own beside it, and knows nothing of the original’s', async () => {
  const shop = isolated({ sessions: honest });
  expectExit(await shop.harness('run', '--json'), 0);
  const copy = repoAt(join(shop.around, 'copy'), shop.env['HOME'] ?? '');
  cpSync(shop.root, copy.root, { recursive: true, verbatimSymlinks: true });
  expectExit(await copy.harness('run', '--json'), 0);
  expect(copy.git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm)).toEqual([
    `worktree ${copy.root}`,
    `worktree ${join(shop.around, '.copy-harness')}`,
  ]);
  expect(existsSync(join(shop.beside, 'src/saw'))).toBe(false);
  expectExit(await shop.harness('run', '--json'), 0);
  for (const repo of [shop, copy]) expect(repo.git('status', '--porcelain')).toBe('');
});

test('packages that are installed beside the code are there for agents, as copies', async () => {
  const shop = isolated({
    sessions: [session(1, { write: { path: 'node_modules/tool/index.js', text: 'changed\n' } }, ...work(1))],
    files: { '.gitignore': '.harness/\nnode_modules/\n' },
  });
  shop.write('node_modules/tool/index.js', 'the tool\n');
  const ran = await shop.harness('run', '--json');
  expect(ran.code).not.toBe(1);
  expect(shop.read('node_modules/tool/index.js')).toBe('the tool\n');
  expect(existsSync(join(shop.beside, 'node_modules/tool/index.js'))).toBe(true);
});
