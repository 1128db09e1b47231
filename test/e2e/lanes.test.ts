// `lanes: N`: several agents at the same time, each in a work tree of its own; what they make lands one after another.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, expectAllLanded, lanesShop, make, meet, overlapping } from './lanes-shop.ts';
import { eventsOf, expectExit } from './workshop.ts';

test('three items are worked on at the same time, and each lands once', async () => {
  const named = { run: { command: 'echo $HARNESS_LANE >> ../lanes' } };
  const sessions = [1, 2, 3].map((item) => at(item, ...meet(item, [1, 2, 3]), named, ...make(item)));
  const shop = lanesShop(3, 3, { sessions });
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'done' });
  expect(overlapping(shop)).toEqual(['1', '2', '3']);
  expect(readFileSync(join(shop.around, 'lanes'), 'utf8').split('\n').filter(Boolean).toSorted()).toEqual([
    '1',
    '2',
    '3',
  ]);
  await expectAllLanded(shop, 3);
});

test('killed while three are at work, the next run continues each of them, and each lands once', async () => {
  const waiting = [1, 2, 3].map((item) => at(item, ...meet(item, []), { wait_for_file: '../go' }, ...make(item)));
  const shop = lanesShop(3, 3, { sessions: waiting });
  const run = shop.start('run', '--until-done', '--json');
  for (const item of [1, 2, 3]) await run.until(join(shop.around, `at-${item}`));
  run.signal('SIGKILL');
  await run.ended;
  writeFileSync(join(shop.around, 'go'), '');
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  await expectAllLanded(shop, 3);
});

test('killed when another lane has landed, the next run takes that landing for no work of the agent that it continues', async () => {
  const waiting = at(1, ...meet(1, []), { wait_for_file: '../go' }, ...make(1));
  const shop = lanesShop(2, 2, { sessions: [waiting, at(2, ...make(2))] });
  const run = shop.start('run', '--until-done', '--json');
  await run.until(join(shop.around, 'at-1'));
  await run.until(join(shop.root, '.harness/sessions/2/session.json'));
  run.signal('SIGKILL');
  await run.ended;
  writeFileSync(join(shop.around, 'go'), '');
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  expect(eventsOf(shop, 'commits-kept')).toEqual([]);
  expect(eventsOf(shop, 'item-ended').map(({ data }) => data?.['result'])).not.toContain('rejected');
  await expectAllLanded(shop, 2);
});

test('where git converts the ends of lines, a file that one lane lands is in the way of no other', async () => {
  const notes = { write: { path: 'notes.txt', text: 'one\r\ntwo\r\n' } };
  const sessions = [at(1, notes, ...make(1)), at(2, ...meet(2, []), { wait_for_file: '../go' }, ...make(2))];
  const files = { '.gitattributes': '*.txt text eol=crlf\n', 'notes.txt': 'one\r\n' };
  const shop = lanesShop(2, 2, { sessions, files });
  const run = shop.start('run', '--until-done', '--json');
  await run.until(join(shop.around, 'at-2'));
  await run.until(join(shop.root, '.harness/sessions/1/session.json'));
  writeFileSync(join(shop.around, 'go'), '');
  await run.ended;
  expect(eventsOf(shop, 'item-ended').map(({ data }) => data?.['result'])).toEqual(['landed', 'landed']);
  expect(readFileSync(join(shop.root, 'notes.txt'), 'utf8')).toBe('one\r\ntwo\r\n');
  await expectAllLanded(shop, 2);
});
