// Messages to a person who is not there: one for each thing, with the command that answers it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { configure, linesOf, receiver } from './notice-receiver.ts';
import { shopOf } from './waiting-shop.ts';
import { expectExit, session, work, workshop } from './workshop.ts';

const ONE = JSON.stringify({
  features: [
    { id: 1, category: 'bench', description: 'A bench can be set up', test_file: 'tests/bench.test', passes: false },
  ],
});

test('the end of a run leaves once on every channel that is configured', async () => {
  const shop = workshop({ sessions: [session(1, ...work(1))], files: { 'features.json': ONE } });
  const there = await receiver();
  shop.env['HOOK'] = `${there.url}/hook`;
  configure(
    shop,
    `{ command: 'cat >> ../told; echo "$HARNESS_NOTICE_KIND: $HARNESS_NOTICE_TITLE" >> ../titles', webhook: '\${HOOK}', slack: '${there.url}/slack', ntfy: '${there.url}/a/topic', desktop: true }`,
  );
  const tools = join(shop.around, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${tools}/shown'\n`, { mode: 0o755 });
  shop.env['PATH'] = [tools, shop.env['PATH']].join(delimiter);
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
  const status = `harness -C ${shop.root} status`;
  expect(linesOf(shop)).toMatchObject([
    { schema: 'harness.notice/1', kind: 'done', project: 'workshop', command: status },
  ]);
  expect(readFileSync(join(shop.around, 'titles'), 'utf8')).toBe('done: workshop: the run has ended\n');
  expect(there.got.map(({ path }) => path)).toEqual(['/hook', '/a/', '/slack']);
  const [hook, ntfy, slack] = there.got;
  expect(hook?.body).toEqual(linesOf(shop)[0]);
  expect(hook?.headers['idempotency-key']).toBe(linesOf(shop)[0]?.['token']);
  expect(ntfy?.body).toMatchObject({ topic: 'topic', title: 'workshop: the run has ended', tags: ['harness', 'done'] });
  expect(slack?.body).toMatchObject({ text: expect.stringContaining(status) as string });
  if (process.platform === 'linux')
    expect(readFileSync(join(tools, 'shown'), 'utf8')).toContain('workshop: the run has ended\n');
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.processes()).toEqual([]);
});

test('a question leaves with the command that answers it, once, also if a crash came before', async () => {
  const shop = shopOf();
  expectExit(await shop.harness('run', '--json'), 8); // asked by a process that sent nothing
  configure(shop, `{ command: 'cat >> ../told' }`);
  await shop.harness('run', '--json');
  const [asked, ...more] = linesOf(shop);
  expect(more).toEqual([]);
  expect(asked).toMatchObject({
    kind: 'gate',
    item: '1',
    token: 'g-1',
    command: `harness -C ${shop.root} answer g-1 verified`,
  });
});
