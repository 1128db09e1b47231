// `lanes: N`: several agents at the same time, each in a work tree of its own; what they make lands one after another.
import { expect, test } from 'vitest';
import { at, expectAllLanded, lanesShop, make, meet, overlapping } from './lanes-shop.ts';
import { expectExit } from './workshop.ts';

test('three items are worked on at the same time, and each lands once', async () => {
  const sessions = [1, 2, 3].map((item) => at(item, ...meet(item, [1, 2, 3]), ...make(item)));
  const shop = lanesShop(3, 3, { sessions });
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'done' });
  expect(overlapping(shop)).toEqual(['1', '2', '3']);
  await expectAllLanded(shop, 3);
});

const shared = (item: number): { readonly [step: string]: unknown } => ({
  write: { path: 'src/list', text: `made by ${item}\n` },
});

test('items that change the same line all land, and none loses more than one session', async () => {
  const sessions = [1, 2, 3, 4].map((item) => at(item, ...meet(item, [1, 2, 3, 4]), shared(item), ...make(item)));
  const shop = lanesShop(4, 4, { sessions, files: { 'src/list': 'made by nobody\n' } });
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  await expectAllLanded(shop, 4);
  const { items } = ran.json() as { readonly items: readonly { readonly id: string }[] };
  for (const id of ['1', '2', '3', '4']) expect(items.filter((one) => one.id === id).length).toBeLessThanOrEqual(2);
});

test('items that are green apart and red together do not both land', async () => {
  const one = at(1, ...meet(1, [2]), ...make(1));
  // Its test holds only while the other thing is not there.
  const alone = {
    write: { path: 'tests/thing2.test', text: `thing2 is alone|test -f src/thing2 -a ! -f src/thing1\n` },
  };
  const two = at(2, ...meet(2, [1]), { write: { path: 'src/thing2', text: 'thing2\n' } }, alone, 'claim');
  const shop = lanesShop(2, 2, { sessions: [one, two] });
  const ran = await shop.harness('run', '--until-done', '--max-sessions', '4', '--json', '--no-input');
  const landed = shop.git('log', '--format=%(trailers:key=Harness-Item,valueonly)', 'main').split('\n').filter(Boolean);
  expect(landed.length).toBe(1);
  // The next session of the one that has to change is given the name of the test.
  expectExit(ran, 6);
  expect(shop.read('.harness/sessions/4/prompt-1.md')).toContain('thing2 is alone');
});
