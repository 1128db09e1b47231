// What a person may ask of one item while others are at work in lanes beside it: the others continue, and nothing of its work is lost.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, expectAllLanded, lanesShop, make, meet } from './lanes-shop.ts';
import { made, taskList } from './task-list.ts';
import { expectExit, honest, workshop, type Live, type Steps, type Workshop } from './workshop.ts';

/** Three lanes; each agent has written half of something and waits for `../go-ITEM`. */
async function threeAtWork(): Promise<{ readonly shop: Workshop; readonly run: Live }> {
  const half = (item: number) => ({ write: { path: `src/half${item}`, text: 'half\n' } });
  const sessions = [1, 2, 3].map((item) =>
    at(item, half(item), ...meet(item, []), { wait_for_file: `../go-${item}` }, ...make(item)),
  );
  const shop = lanesShop(3, 3, { sessions });
  const run = shop.start('run', '--until-done', '--json', '--no-input');
  for (const item of [1, 2, 3]) await run.until(join(shop.around, `at-${item}`));
  return { shop, run };
}
const go = (shop: Workshop, ...items: readonly number[]): void => {
  for (const item of items) writeFileSync(join(shop.around, `go-${item}`), '');
};
const attempts = (shop: Workshop, item: number): string =>
  shop.git('for-each-ref', '--format=%(refname)', `refs/harness/attempts/${item}/`);
const passing = (shop: Workshop): readonly unknown[] => shop.features().map(({ passes }) => passes);

test('pause of one: its work is kept, the others land, and after resume it is continued', async () => {
  const { shop, run } = await threeAtWork();
  const paused = await shop.harness('pause', '1');
  expectExit(paused, 0);
  expect(paused.stdout).toContain('Item #1 (Thing 1 is there) is held');
  expect(paused.stdout).toContain('harness resume 1');
  go(shop, 2, 3);
  const ended = await run.ended;
  expectExit(ended, 10);
  expect(ended.json()).toMatchObject({ result: 'paused', reason: 'items-held' });
  expect(passing(shop)).toEqual([false, true, true]);
  expect(shop.git('show', `refs/harness/wip/1:src/half1`)).toBe('half');
  expect((await shop.harness('run', '--json')).json()).toMatchObject({ reason: 'items-held' });
  expectExit(await shop.harness('resume', '1'), 0);
  go(shop, 1);
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
  await expectAllLanded(shop, 3);
});

test('rollback of one: its work becomes an attempt, and it begins again in the same run', async () => {
  const { shop, run } = await threeAtWork();
  go(shop, 1, 2, 3);
  expectExit(await shop.harness('rollback', '2'), 0);
  expectExit(await run.ended, 0);
  await expectAllLanded(shop, 3);
});

test('rollback of one that nothing works on: its work in progress becomes an attempt at once', async () => {
  const { shop, run } = await threeAtWork();
  expectExit(await shop.harness('pause', '1'), 0);
  go(shop, 2, 3);
  await run.ended;
  const back = await shop.harness('rollback', '1', '--json');
  expectExit(back, 0);
  expect(back.json()).toMatchObject({ item: '1', as: 'rolled-back', ending: false, work: null });
  expect(shop.git('show', `${attempts(shop, 1).split('\n')[0]}:src/half1`)).toBe('half');
  expect(shop.workInProgress('1')).toBe('');
  go(shop, 1);
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
  await expectAllLanded(shop, 3);
});

/** Half of the work, and then a context that is full. */
const full: readonly Steps[] = [
  [{ write: { path: 'half', text: 'half\n' } }, { usage: { input: 185_000 } }, 'hang'],
  [{ usage: { input: 200_001 } }, 'hang'],
];
const nextOf = async (shop: Pick<Workshop, 'harness'>): Promise<unknown> =>
  (await shop.harness('status', '--json')).json()['next'];

test.each(['', 'lanes: 2'])(
  'rollback of one that was left partly done: it is continued no more (%s)',
  async (config) => {
    const shop = workshop({ sessions: [{ when: { item: 1 }, turns: full }], config });
    await shop.harness('run', '--max-sessions', '1');
    expect(await nextOf(shop)).toEqual({ item: '1', prompt: 'continuation' });
    expectExit(await shop.harness('rollback', '1'), 0);
    expect(await nextOf(shop)).toEqual({ item: '1', prompt: 'coding' });
    shop.play(honest);
    expectExit(await shop.harness('run', '--max-sessions', '1', '--json'), 0);
    expect(JSON.parse(shop.read('.harness/sessions/2/session.json'))).toMatchObject({
      role: 'coding',
      result: 'landed',
    });
  },
);

test('after skip of one that was left partly done the next item is no continuation', async () => {
  const shop = lanesShop(2, 1, { sessions: [{ when: { item: 1 }, turns: full }, at(2, ...make(2))] });
  await shop.harness('run', '--max-sessions', '1');
  expect(await nextOf(shop)).toEqual({ item: '1', prompt: 'continuation' });
  expectExit(await shop.harness('skip', '1', '--reason', 'later', '--yes'), 0);
  expect(await nextOf(shop)).toEqual({ item: '2', prompt: 'coding' });
});

test('rollback of a task that was left partly done: it begins again, and no attempt is counted', async () => {
  const tasks = taskList(
    [{ id: 'a', title: 'A file is there', status: 'pending', validation: { command: 'test -f a.txt' } }],
    {
      sessions: [{ when: { item: 'a' }, turns: full }],
    },
  );
  await tasks.harness('run', '--max-sessions', '1');
  expect([await nextOf(tasks), tasks.task('a').status]).toEqual([{ item: 'a', prompt: 'continuation' }, 'in_progress']);
  expectExit(await tasks.harness('rollback', 'a'), 0);
  expect([await nextOf(tasks), tasks.task('a').status]).toEqual([{ item: 'a', prompt: 'coding' }, 'pending']);
  tasks.play([made('a')]);
  expectExit(await tasks.harness('run', '--until-done', '--json'), 0);
  expect(tasks.task('a')).toMatchObject({ status: 'completed' });
  expect(tasks.log().filter((line) => /RECOVERY|ERROR/.test(line))).toEqual([]);
});

test('skip of one at work: its session ends, its work becomes an attempt, and it is left out', async () => {
  const { shop, run } = await threeAtWork();
  const skipped = await shop.harness('skip', '3', '--reason', 'not now');
  expectExit(skipped, 0);
  go(shop, 1, 2);
  expectExit(await run.ended, 0);
  expect(passing(shop)).toEqual([true, true, false]);
  expect(shop.features()[2]).toMatchObject({ skipped: { reason: 'not now' } });
  expect(existsSync(join(shop.root, 'src/half3'))).toBe(false);
  expect(attempts(shop, 3)).not.toBe('');
  expect([shop.workInProgress('3'), shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', '', []]);
});

test('abort of one: its work becomes an attempt and no run chooses it until it is given back', async () => {
  const { shop, run } = await threeAtWork();
  expectExit(await shop.harness('abort', '2'), 0);
  go(shop, 1, 3);
  expectExit(await run.ended, 10);
  expect(passing(shop)).toEqual([true, false, true]);
  expect(attempts(shop, 2)).not.toBe('');
  expect(shop.workInProgress('2')).toBe('');
  expectExit(await shop.harness('resume', '2'), 0);
  go(shop, 2);
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
  await expectAllLanded(shop, 3);
});

test('handoff of one: a person finishes it while the others land, and takeback verifies what they did', async () => {
  const { shop, run } = await threeAtWork();
  const handed = await shop.harness('handoff', '1');
  expectExit(handed, 0);
  expect(handed.stdout).toContain('is yours');
  go(shop, 2, 3);
  expectExit(await run.ended, 10);
  shop.write('src/thing1', 'thing1\n');
  shop.write('tests/thing1.test', 'thing1 is there|grep -q thing1 src/thing1\n');
  shop.git('add', '-A');
  shop.git('commit', '-qm', 'thing 1 by hand');
  const back = await shop.harness('takeback', '1', '--yes', '--json');
  expectExit(back, 0);
  expect(back.json()).toMatchObject({ taken_back: true, item: '1', passed: true, marked: true });
  expect(passing(shop)).toEqual([true, true, true]);
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
});

test('a message to the agent of one item is the first thing that it reads next, and no other agent reads it', async () => {
  const { shop, run } = await threeAtWork();
  const sent = await shop.harness('message', '1', 'Use the old hinges');
  expectExit(sent, 0);
  expect(sent.stdout).toContain('its agent receives it');
  expectExit(await shop.harness('pause', '1'), 0);
  go(shop, 1, 2, 3);
  expectExit(await run.ended, 10);
  expectExit(await shop.harness('resume', '1'), 0);
  const again = await shop.harness('run', '--until-done', '--json');
  expectExit(again, 0);
  const { items } = again.json() as { readonly items: readonly { readonly session: number }[] };
  const session = items[0]?.session ?? 0;
  expect(shop.read(`.harness/sessions/${session}/prompt-1.md`)).toContain('Use the old hinges');
  for (let one = 1; one < session; one += 1)
    expect(shop.read(`.harness/sessions/${one}/prompt-1.md`)).not.toContain('Use the old hinges');
  await expectAllLanded(shop, 3);
});
