// `git clean -xfd` removes `.harness/`: what counts is kept beside git's own files, and nothing begins again at its start.
import { expect, test } from 'vitest';
import { expectExit, session, work, workshop } from './workshop.ts';

const used = { usage: { input: 100_000, output: 10_000, cost_usd: 0.5 } };

test('money, numbers of sessions, runs and what was caught are the same after git clean -xfd', async () => {
  const shop = workshop({ sessions: [session(1, used, 'claim')] });
  expect((await shop.harness('run')).code).toBe(9);
  shop.play([session(1, used, ...work(1)), session(2, used, ...work(2))]);
  expect((await shop.harness('run')).code).toBe(0);
  const seen = async () => {
    const [costs, runs, status] = [
      await shop.harness('costs', '--json'),
      await shop.harness('runs', '--json'),
      await shop.harness('status', '--json'),
    ];
    const { cost, session: number, last } = status.json() as { cost: object; session: number; last: object };
    return { costs: costs.json(), runs: (runs.json() as { runs: object[] }).runs, cost, number, last };
  };
  const before = await seen();
  expect(before.cost).toMatchObject({ usd: expect.any(Number) as number });
  expect(shop.git('clean', '-xfd')).toContain('.harness/');
  const after = await seen();
  expect(after).toEqual(before);
  expect((await shop.harness('run', '--json')).json()).toMatchObject({
    items: [{ id: '2', session: 3, result: 'landed' }],
  });
});

test('sessions that ended without their item still count after git clean -xfd, until a user is asked or gives them back', async () => {
  const shop = workshop({ sessions: [session(1, 'claim')], config: 'features: { max_stuck_sessions: 2 }' });
  const inARow = async () => /(\d+) sessions? in a row/.exec((await shop.harness('status')).stdout)?.[1];
  const clean = () => expect(shop.git('clean', '-xfd')).toContain('.harness/');
  expectExit(await shop.harness('run'), 9);
  clean();
  expect(await inARow()).toBe('1');
  expectExit(await shop.harness('retry', '1'), 0);
  clean();
  expect(await inARow()).toBeUndefined();
  expectExit(await shop.harness('run'), 9);
  clean();
  expectExit(await shop.harness('run'), 9);
  clean();
  expect(await inARow()).toBe('2');
  const asked = await shop.harness('run', '--json');
  expectExit(asked, 3);
  expect(asked.json()).toMatchObject({ result: 'gate' });
});
