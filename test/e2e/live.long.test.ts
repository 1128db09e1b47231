// Steering while a run really works: the agent is scripted and waits until the test lets it continue.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CART_STEPS, makeRepo, type Ran, type Repo } from '../support/repo.ts';

/** Says that it is at work, waits for `../go`, then makes the cart's test pass and claims it. */
const WAIT = [{ write: { path: 'started.txt', text: 'x' } }, { wait_for_file: { path: '../go', seconds: 60 } }];
const SCENARIO = JSON.stringify({
  schema: 1,
  sessions: [
    { when: { item: 2 }, turns: [[...WAIT, ...CART_STEPS, { claim: 2 }, { say: 'done' }]] },
    { when: {}, repeat_last: true, turns: [[{ say: 'nothing to do' }]] },
  ],
});

/** Starts a run and hands it over once the agent is at work. */
async function atWork(...args: string[]): Promise<{ readonly repo: Repo; readonly ended: Promise<Ran> }> {
  const repo = makeRepo({ '.scenario.yaml': SCENARIO });
  const ended = repo.harness('run', '--json', ...args);
  while (!existsSync(join(repo.root, 'started.txt'))) {
    const early = await Promise.race([ended, sleep(20, null)]);
    if (early !== null) throw new Error(`the run ended early: ${early.stdout}${early.stderr}`);
  }
  return { repo, ended };
}
const letGo = (repo: Repo): void => writeFileSync(join(repo.root, '..', 'go'), '');
const subjects = (repo: Repo): string[] => repo.git('log', '--format=%s', '--reverse').split('\n').slice(1);
const inbox = (repo: Repo): string[] => readdirSync(join(repo.privateDir, 'inbox'));

describe('a live run', () => {
  test('makes a queued change between items, and the change counts for what it does next', async () => {
    const { repo, ended } = await atWork('--until-done');
    const skipped = await repo.harness('skip', '3', '--reason', 'later', '--json');
    expect([skipped.code, skipped.json()]).toMatchObject([0, { result: 'queued', behind: 'run' }]);
    expect(subjects(repo)).toEqual([]);
    letGo(repo);
    const run = await ended;
    expect([run.code, run.json()]).toMatchObject([0, { result: 'done', landed: ['2'] }]);
    expect(subjects(repo).at(-1)).toBe('chore(harness): #3 is skipped');
    expect([inbox(repo), repo.git('status', '--porcelain')]).toEqual([[], '']);
  });

  test('of one session makes it before it ends', async () => {
    const { repo, ended } = await atWork();
    await repo.harness('add', 'User can return goods', '--verify', 'tests/return.test.mjs');
    letGo(repo);
    expect([(await ended).code, subjects(repo).at(-1)]).toEqual([0, 'chore(harness): #4 added: User can return goods']);
  });

  test('stops after its session', async () => {
    const { repo, ended } = await atWork('--until-done');
    const stopped = await repo.harness('stop');
    expect([stopped.code, stopped.stdout]).toEqual([
      0,
      expect.stringMatching(/^harness run \(pid \d+\) stops after its session\.\n$/),
    ]);
    letGo(repo);
    const run = await ended;
    expect([run.code, run.json()]).toMatchObject([10, { result: 'paused', landed: ['2'] }]);
    expect((await repo.harness('resume', '--json')).json()).toMatchObject({ was_paused: false, next: { item: '3' } });
  });

  test('stops now, and the session is taken up by the next run; changes wait for it', async () => {
    const { repo, ended } = await atWork('--until-done');
    const stopped = await repo.harness('stop', '--now', '--json');
    expect(stopped.json()).toMatchObject({ stopping: true, now: true, taken: true, live: { command: 'harness run' } });
    expect((await ended).code).toBe(10);
    const skipped = await repo.harness('skip', '3', '--reason', 'later', '--json');
    expect(skipped.json()).toMatchObject({ result: 'queued', behind: 'session' });
    letGo(repo);
    const run = await repo.harness('run', '--json', '--until-done');
    expect([run.code, run.json()]).toMatchObject([0, { result: 'done', landed: ['2'] }]);
    expect(subjects(repo).at(-1)).toBe('chore(harness): #3 is skipped');
  });

  test('pauses: what the session did is kept, and nothing starts until it is resumed', async () => {
    const { repo, ended } = await atWork('--until-done');
    expect((await repo.harness('pause', '--json')).json()).toMatchObject({ paused: true, taken: true });
    const run = await ended;
    expect([run.code, run.json()]).toMatchObject([10, { result: 'paused' }]);
    expect(repo.git('show', 'refs/harness/wip/2:started.txt')).toBe('x');
    expect((await repo.harness('run')).code).toBe(10);
    expect((await repo.harness('resume', '--json')).json()).toMatchObject({
      was_paused: true,
      next: { item: '2', prompt: 'continuation' },
    });
  });
});
