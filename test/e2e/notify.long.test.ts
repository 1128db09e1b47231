// Every kind of message, and a notifier that is broken: never at the cost of the run.
import { expect, test } from 'vitest';
import { configure, linesOf, receiver } from './notice-receiver.ts';
import { shopOf } from './waiting-shop.ts';
import { eventsOf, expectExit, session, work, workshop } from './workshop.ts';

test('a question that still waits is sent once, over all runs', async () => {
  const shop = shopOf();
  configure(shop, `{ command: 'cat >> ../told' }`);
  for (let run = 0; run < 3; run += 1) await shop.harness('run', '--json');
  expect(linesOf(shop).filter(({ kind }) => kind === 'gate')).toHaveLength(1);
});

test('an agent that does not run stops the run, and a budget that is used up asks: each is a message', async () => {
  const stuck = workshop({
    agent: `{ provider: acp, command: ['/bin/sh', '-c', 'echo no licence found >&2; exit 7'] }`,
  });
  configure(stuck, `{ command: 'cat >> ../told' }`);
  expectExit(await stuck.harness('run', '--until-done', '--json'), 5);
  expect(linesOf(stuck)).toMatchObject([
    { kind: 'stuck', text: expect.stringContaining('no licence found') as string },
  ]);

  const spent = workshop({
    config: 'costs: { total_project_usd: 1 }',
    sessions: [session(1, { usage: { input: 10, cost_usd: 2 } }, ...work(1))],
  });
  configure(spent, `{ command: 'cat >> ../told' }`);
  await spent.harness('run', '--until-done', '--json');
  expect(linesOf(spent).map(({ kind }) => kind)).toEqual(['budget']);
});

test('an agent that is not logged in is a message, and kinds that are not wanted are none', async () => {
  const shop = workshop({ sessions: [session(1, { fail: 'auth' })] });
  configure(shop, `{ command: 'cat >> ../told', on: [login] }`);
  expectExit(await shop.harness('run', '--until-done', '--json'), 4);
  expect(linesOf(shop)).toMatchObject([{ kind: 'login', title: 'workshop: an agent is not logged in' }]);
  const quiet = workshop({ sessions: [session(1, { fail: 'auth' })] });
  configure(quiet, `{ command: 'cat >> ../told', on: [done] }`);
  expectExit(await quiet.harness('run', '--until-done', '--json'), 4);
  expect(linesOf(quiet)).toEqual([]);
});

test('a broken notifier is one warning, changes nothing of the run, and the message leaves later', async () => {
  const shop = workshop({ sessions: [session(1, { fail: 'auth' })] });
  const there = await receiver();
  there.status = 500;
  configure(shop, `{ webhook: '${there.url}', command: 'echo no such pager >&2; exit 3', slack: '\${NO_SUCH_HOOK}' }`);
  const ran = await shop.harness('run', '--until-done');
  expectExit(ran, 4);
  const warned = eventsOf(shop, 'notice-failed').map(({ data }) => data);
  expect(warned).toEqual([
    { channel: 'command', why: 'exit 3: no such pager' },
    { channel: 'webhook', why: 'HTTP 500 said no more' },
    { channel: 'slack', why: '${NO_SUCH_HOOK} is not set' },
  ]);
  expect(ran.stderr.match(/notify\.command does not work/g)).toHaveLength(1);

  there.status = 200;
  shop.play([session(1, ...work(1))]);
  expectExit(await shop.harness('run', '--json'), 0);
  expect(there.got.map(({ body }) => (body as { kind: string }).kind)).toEqual(['login', 'login']);
  const [first, second] = there.got.map(({ body }) => (body as { token: string }).token);
  expect(first).toBe(second);
});

test('a run that is killed while a message is on its way sends it again with the same token when the next one starts', async () => {
  const shop = workshop({ sessions: [session(1, { fail: 'auth' })] });
  const there = await receiver();
  there.status = 0;
  configure(shop, `{ webhook: '${there.url}' }`);
  const arrived = there.arrives();
  const run = shop.start('run', '--until-done', '--json');
  await arrived;
  run.signal('SIGKILL');
  await run.ended;
  there.status = 200;
  expectExit(await shop.harness('run', '--until-done', '--json'), 4);
  const [first, again, ...others] = there.got.map(({ body }) => (body as { token: string }).token);
  expect(again).toBe(first);
  expect(others.filter((token) => token === first)).toEqual([]);
});

test('doctor --notify tries every channel and says which does not work', async () => {
  const shop = workshop();
  const there = await receiver();
  configure(shop, `{ webhook: '${there.url}', command: 'exit 3' }`);
  const tried = await shop.harness('doctor', '--notify', '--json');
  expectExit(tried, 5);
  expect(tried.json()).toMatchObject({
    ready: true,
    notify: [
      { channel: 'command', why: 'exit 3' },
      { channel: 'webhook', why: null },
    ],
  });
  expect(there.got).toHaveLength(1);
});
