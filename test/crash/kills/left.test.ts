// Each look at what is left can find something: one leftover of each kind, planted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock } from '../../../src/host/lock.ts';
import { encode } from '../../../src/engine/journal.ts';
import { openFixtureProject, SHOP, type FixtureProject } from '../fixture-project.ts';
import { shapesOf, wrongAfterDeath, wrongAfterwards } from './left.ts';
import { beginDay } from './program.ts';

let shop: FixtureProject;
beforeEach(() => {
  shop = openFixtureProject(SHOP, '');
  beginDay(shop);
});
afterEach(() => shop.remove());

const put = (path: string, text = ''): void => {
  const file = join(shop.top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const OWNER = { pid: process.pid, startedAt: null, command: null, run: null };

test('an untouched fixture project is in order', () => {
  expect([wrongAfterwards(shop), wrongAfterDeath(shop)]).toEqual([[], []]);
});

const PROCESSES = [
  ['told by its environment', { cwd: '/', env: { HARNESS_TOKEN: 'TOP/repo/.git/harness#r-1' } }],
  ['that cleared its environment and works in the shop', { cwd: 'TOP', env: {} }],
] as const;
test.each(PROCESSES)('a process %s is found', async (_, { cwd, env }) => {
  const here = (text: string): string => text.replace('TOP', shop.top);
  const token = Object.entries(env).map(([name, value]): [string, string] => [name, here(value)]);
  const child = spawn('sleep', ['300'], {
    cwd: here(cwd),
    env: { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(token) },
    detached: true,
  });
  await once(child, 'spawn');
  try {
    expect(wrongAfterwards(shop)).toEqual([`a process is left: ${child.pid} sleep 300`]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  expect(wrongAfterwards(shop)).toEqual([]);
});

test('a held lock is found, also in the moment after a kill', () => {
  const lock = acquireLock(shop.privateDir, OWNER);
  if (!lock.ok) throw new Error('locked');
  const [after, atOnce] = [wrongAfterwards(shop), wrongAfterDeath(shop)];
  lock.value.release();
  expect(after[0]).toMatch(/^a lock is left: \{"pid":/);
  expect(atOnce).toEqual(['the lock outlives its owner']);
  expect(wrongAfterwards(shop)).toEqual([]);
});

test.each([
  ['a lock is left: repo/.git/index.lock', 'repo/.git/index.lock'],
  ['a temporary file is left: tmp/harness-box-1234', 'tmp/harness-box-1234/t/x'],
  ['a temporary file is left: repo/.harness/costs.yaml.12.tmp', 'repo/.harness/costs.yaml.12.tmp'],
  ['a temporary file is left: repo/.git/harness/index-1', 'repo/.git/harness/index-1'],
  ['a temporary file is left: repo/.git/objects/00/tmp_obj_1', 'repo/.git/objects/00/tmp_obj_1'],
  ['cannot be read: loop.json', 'repo/.git/harness/loop.json', '{ "run'],
  ['cannot be read: items/2.jsonl', 'repo/.git/harness/items/2.jsonl', `00000000 {}\n${encode({ at: 1 })}`],
  ['cannot be read: procedures/2.jsonl', 'repo/.git/harness/procedures/2.jsonl', `${encode({ at: 1 })}0000`],
  ['cannot be read: ../../.harness/logs/events.jsonl', 'repo/.harness/logs/events.jsonl', '{}\n{\n{}\n'],
])('%s', (wrong, path, text = '') => {
  put(path, text);
  expect(wrongAfterwards(shop)).toEqual([wrong]);
});

test('in the moment after a kill the end of a journal may be torn, its middle may not', () => {
  put('repo/.git/harness/loop.jsonl', `${encode({ at: 1 })}0000 {`);
  expect(wrongAfterDeath(shop)).toEqual([]);
  appendFileSync(join(shop.privateDir, 'loop.jsonl'), `\n${encode({ at: 2 })}`);
  expect(wrongAfterDeath(shop)).toEqual(['cannot be read: loop.jsonl']);
});

test('a worktree is found', () => {
  shop.git('worktree', 'add', '-q', '--detach', join(shop.top, 'lane'));
  expect(wrongAfterwards(shop)).toEqual([`a worktree is left: worktree ${join(shop.top, 'lane')}`]);
});

test('what was committed as done and is not there is found', () => {
  put('repo/features.json', (SHOP['features.json'] ?? '').replace('"passes": false', '"passes": true'));
  shop.git('commit', '-qam', 'feat(shop): #2 User can pay');
  const head = shop.git('rev-parse', 'HEAD');
  expect(wrongAfterwards(shop)).toEqual([`accepted, and does not hold: pay in ${head}`]);
});

test('files of any other kind are litter; more of the same kind are not', () => {
  put('repo/.git/harness/sessions/1-20990101120000000/turn-1.json');
  const before = shapesOf(shop);
  put('repo/.git/harness/sessions/2-20990101120000001/turn-2.json');
  expect(shapesOf(shop)).toEqual(before);
  put('repo/.git/harness/sessions/2-20990101120000001/turn-2.json.part');
  expect(shapesOf(shop).filter((one) => !before.includes(one))).toEqual([
    'repo/.git/harness/sessions/#-…/turn-#.json.part',
  ]);
});
