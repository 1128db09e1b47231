// An agent program that ends before its first answer does not run here: that is no attempt at the item, and a user sees its last words.
import { expect, test } from 'vitest';
import { task } from '../support/task-record.ts';
import { taskList } from './task-list.ts';
import { expectExit, session, work, workshop } from './workshop.ts';

const BROKEN = `{ provider: acp, command: ['/bin/sh', '-c', 'echo no licence found >&2; exit 7'] }`;

test('a feature counts no attempt, nothing is committed, and the run ends with the last words', async () => {
  const shop = workshop({ agent: BROKEN });
  const tip = shop.git('rev-parse', 'HEAD');
  for (const n of [1, 2]) {
    const ran = await shop.harness('run', '--until-done', '--json');
    expectExit(ran, 5);
    expect(ran.json(), `run ${n}`).toMatchObject({ result: 'blocked', reason: 'agent-crashed', landed: [] });
    expect(ran.stdout).toContain('no licence found');
  }
  expect(JSON.parse(shop.read('.harness/session_state.json'))).toMatchObject({ stuck_count: 0 });
  expect([shop.git('rev-parse', 'HEAD'), shop.git('status', '--porcelain')]).toEqual([tip, '']);
  expect(shop.git('for-each-ref', 'refs/harness/attempts', 'refs/harness/wip')).toBe('');
  expect(shop.processes()).toEqual([]);

  shop.write(
    '.harness.yaml',
    shop.read('.harness.yaml').replace(BROKEN, '{ provider: scripted, scenario: ../scenario.json }'),
  );
  shop.git('commit', '-q', '-am', 'an agent that runs');
  shop.play([session(1, ...work(1))]);
  const mended = await shop.harness('run', '--json');
  expect(mended.json()).toMatchObject({ landed: ['1'] });
});

test('a task keeps its attempts', async () => {
  const list = taskList([task('a')]);
  list.write('.harness.yaml', list.read('.harness.yaml').replace(/agents: .*/, `agents: { default: ${BROKEN} }`));
  list.git('commit', '-q', '-am', 'an agent that does not run');
  const ran = await list.harness('run', '--json');
  expectExit(ran, 5);
  expect(list.task('a').status).toBe('pending');
  expect(list.task('a').attempts ?? 0).toBe(0);
});

test('a login that an agent reports in words alone ends the run, counts for no item, and its words are shown', async () => {
  const words = 'Error: Authentication failed with provider (HTTP 401).';
  const shop = workshop({ sessions: [session(1, { say: words })] });
  const tip = shop.git('rev-parse', 'HEAD');
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 4);
  expect(ran.json()).toMatchObject({ result: 'blocked', reason: 'agent-auth', landed: [] });
  expect(ran.stdout).toContain(words);
  expect([shop.git('rev-parse', 'HEAD'), shop.git('status', '--porcelain')]).toEqual([tip, '']);
  expect(JSON.parse(shop.read('.harness/session_state.json'))).toMatchObject({ stuck_count: 0 });
  expect(shop.git('for-each-ref', 'refs/harness/wip')).toBe('');
});

test('an agent that does nothing is quoted, and nothing is committed for it', async () => {
  const shop = workshop({ sessions: [session(1, { say: 'Which bench do you mean?' })] });
  const tip = shop.git('rev-parse', 'HEAD');
  const ran = await shop.harness('run');
  expectExit(ran, 0);
  expect(ran.stdout).toMatch(/partly done.*\n.*the agent said last: .*Which bench do you mean\?/);
  expect([shop.git('rev-parse', 'HEAD'), shop.git('for-each-ref', 'refs/harness/wip')]).toEqual([tip, '']);
});

const crash = [{ write: { path: 'half.txt', text: 'x' } }, { crash: { exit: 9, stderr: 'out of memory at 0x7f01' } }];
const crashing = (item: string) => ({ when: { item }, turns: Array.from({ length: 3 }, () => crash) });

test('an agent that crashes in its work in the same way on two tasks in a row is an outage of the environment: no task counts an attempt, the run ends with the last words', async () => {
  const list = taskList([task('a'), task('b')], { sessions: [crashing('a'), crashing('b')] });
  const ran = await list.harness('run', '--json');
  expectExit(ran, 5);
  expect(ran.json()).toMatchObject({ result: 'blocked', reason: 'agent-crashed' });
  expect(ran.stderr).toContain('out of memory');
  expect([list.task('a'), list.task('b')]).toMatchObject([
    { status: 'pending', attempts: 0 },
    { status: 'pending', attempts: 0 },
  ]);
  expect(list.git('status', '--porcelain')).toBe('');
});
