// Several lanes: conflicts, combinations that do not hold, questions, and a person who commits beside them.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, expectAllLanded, lanesShop, make, meet } from './lanes-shop.ts';
import { expectExit, type Workshop } from './workshop.ts';

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

test.each([
  ['before the other lands', []],
  ['after the other has landed', [{ wait_for_file: '../shop/src/thing2' }]],
] as const)('items that are green apart and red together do not both land: one ends %s', async (_, after) => {
  const one = at(1, ...meet(1, [2]), ...after, ...make(1));
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

test('where tasks works on a list of features, a landing takes back nothing that another lane has landed in it', async () => {
  const after = { wait_for_file: '../shop/src/thing1' };
  const honest = (item: number) => make(item).filter((step) => step !== 'claim');
  const sessions = [at(1, ...meet(1, [2]), ...honest(1)), at(2, ...meet(2, [1]), after, ...honest(2))];
  const shop = lanesShop(2, 2, { playbook: '{ backlog: features, machine: tasks }', sessions });
  expectExit(await shop.harness('run', '--until-done', '--json', '--no-input'), 0);
  await expectAllLanded(shop, 2);
});

test('a question keeps its item waiting and its lane free; the answer brings it back in the same run', async () => {
  const shop = lanesShop(3, 2, {
    sessions: [1, 2, 3].map((item) => at(item, ...make(item))),
    files: {
      'features.json': JSON.stringify({
        features: [1, 2, 3].map((id) => ({
          id,
          category: 'bench',
          description: `Thing ${id} is there`,
          test_file: `tests/thing${id}.test`,
          passes: false,
          ...(id === 1 ? { verification_type: 'hybrid', manual_checks: ['It stands level'] } : {}),
        })),
      }),
    },
  });
  const first = await shop.harness('run', '--until-done', '--json', '--no-input');
  expectExit(first, 8);
  expect(first.json()).toMatchObject({ result: 'gate', gates: [expect.anything()] });
  expect(shop.features().map(({ passes }) => passes)).toEqual([false, true, true]);
  type Asked = { readonly questions: readonly { readonly id: string; readonly answer: string }[] };
  const { questions } = first.json() as Asked;
  expect(questions).toMatchObject([{ id: 'g-1', item: '1', question: expect.stringContaining('It stands level') }]);
  const status = (await shop.harness('status', '--json')).json() as Asked;
  expect(status).toMatchObject({ gates: 1, lanes: [], questions });
  // The command is one that can be run as it is.
  const [harness, ...words] = (questions[0]?.answer ?? '').split(' ');
  expect(harness).toBe('harness');
  expectExit(await shop.harness(...words), 0);
  const second = await shop.harness('run', '--until-done', '--json', '--no-input');
  expectExit(second, 0);
  await expectAllLanded(shop, 3);
});

test('a person commits beside the lanes: nothing of theirs is lost, and every item lands on top', async () => {
  const sessions = [1, 2].map((item) => at(item, ...meet(item, [1, 2]), { wait_for_file: '../go' }, ...make(item)));
  const shop = lanesShop(2, 2, { sessions });
  const run = shop.start('run', '--until-done', '--json');
  for (const item of [1, 2]) await run.until(join(shop.around, `at-${item}`));
  shop.write('notes.txt', 'mine\n');
  shop.git('add', 'notes.txt');
  shop.git('commit', '-qm', 'my notes');
  shop.write('src/door', 'a blue door\n');
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await run.ended, 0);
  expect(shop.git('status', '--porcelain')).toBe(' M src/door');
  expect(shop.git('show', 'main:notes.txt')).toBe('mine');
  shop.git('checkout', '--', 'src/door');
  await expectAllLanded(shop, 2);
});

test('an abort keeps the unfinished work of each lane as an attempt of its item, and the next run starts over', async () => {
  const half = (item: number) => ({ write: { path: `src/half${item}`, text: 'half\n' } });
  const sessions = [1, 2].map((item) =>
    at(item, half(item), ...meet(item, []), { wait_for_file: '../go' }, ...make(item)),
  );
  const shop = lanesShop(2, 2, { sessions });
  const run = shop.start('run', '--until-done', '--json');
  for (const item of [1, 2]) await run.until(join(shop.around, `at-${item}`));
  run.signal('SIGKILL');
  await run.ended;
  expectExit(await shop.harness('abort', '--yes'), 0);
  for (const item of [1, 2]) {
    const refs = shop.git('for-each-ref', '--format=%(refname)', `refs/harness/attempts/${item}/`).split('\n');
    expect(shop.git('show', `${refs[0]}:src/half${item}`)).toBe('half');
    expect(existsSync(join(shop.around, `.shop-harness-${item}`, `src/half${item}`))).toBe(false);
  }
  shop.play([1, 2].map((item) => at(item, ...make(item))));
  expectExit(await shop.harness('run', '--until-done', '--json'), 0);
  await expectAllLanded(shop, 2);
});

/** False: a run removed one of its work trees at that moment, which git does not expect. */
function isCollected(shop: Workshop): boolean {
  try {
    shop.git('gc', '-q');
    return true;
  } catch (error) {
    expect(String(error)).toContain('worktrees/');
    return false;
  }
}

test('two runs with two lanes each in two work trees of one repository, and a `git gc` beside them: each lands its own items', async () => {
  const shop = lanesShop(3, 2, { sessions: [1, 2, 3].map((item) => at(item, ...make(item))) });
  const second = join(shop.around, 'second');
  shop.git('worktree', 'add', '-q', '-b', 'second', second);
  const other = shop.start('-C', second, 'run', '--until-done', '--json');
  const run = shop.start('run', '--until-done', '--json');
  const ends = Promise.all([run.ended, other.ended]);
  const both = { are: 'at work' };
  void ends.then(() => (both.are = 'over'));
  // As often as it can: what is kept of a session must be reachable at every moment.
  let collected = 0;
  while (both.are === 'at work') {
    await shop.harness('--version');
    collected += Number(isCollected(shop));
  }
  expect(collected).toBeGreaterThan(0);
  for (const ended of await ends) expectExit(ended, 0);
  const landed = shop
    .git('log', '--format=%(trailers:key=Harness-Item,valueonly)', 'second')
    .split('\n')
    .filter(Boolean);
  expect(landed.toSorted()).toEqual(['1', '2', '3']);
  await expectAllLanded(shop, 3, ['main', 'second']);
});

test('`status` counts for each item at work how many of its sessions ended without it', async () => {
  const wrong = { write: { path: 'tests/thing1.test', text: 'thing1 is there|false\n' } };
  const sessions = [
    { when: { item: 1, session: 1 }, turns: [[...meet(1, []), wrong, 'claim']] },
    at(1, { write: { path: '../again-1', text: '' } }, { wait_for_file: '../go' }, ...make(1)),
    at(2, ...meet(2, []), { wait_for_file: '../go' }, ...make(2)),
  ] as const;
  const shop = lanesShop(2, 2, { sessions });
  const run = shop.start('run', '--until-done', '--json');
  await run.until(join(shop.around, 'again-1'));
  const { lanes } = (await shop.harness('status', '--json')).json() as {
    readonly lanes: readonly { readonly item: string; readonly stuck_count: number; readonly landing_place: unknown }[];
  };
  expect(lanes).toMatchObject([{ gate: null }, { gate: null }]);
  const counts = lanes.map(({ item, stuck_count: count, landing_place: place }) => [item, count, place]);
  expect(counts.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ['1', 1, null],
    ['2', 0, null],
  ]);
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await run.ended, 0);
  await expectAllLanded(shop, 2);
});

test('an item that is expected to change a file of one at work begins after it, and `status` and `items` say so', async () => {
  const list = [1, 2, 3].map((id) => ({
    id,
    category: 'bench',
    description: `Thing ${id} is there`,
    test_file: `tests/thing${id}.test`,
    passes: false,
    ...(id < 3 ? { files: ['src/list'] } : {}),
  }));
  const go = { wait_for_file: '../go' };
  const shop = lanesShop(3, 2, {
    sessions: [
      at(1, ...meet(1, [3]), go, shared(1), ...make(1)),
      at(2, shared(2), ...make(2)),
      at(3, ...meet(3, [1]), go, ...make(3)),
    ],
    files: { 'features.json': JSON.stringify({ features: list }), 'src/list': 'made by no item\n' },
  });
  const run = shop.start('run', '--until-done', '--json');
  for (const item of [1, 3]) await run.until(join(shop.around, `at-${item}`));
  const apart = { after: '1', file: 'src/list' };
  expect((await shop.harness('status', '--json')).json()).toMatchObject({ apart: [{ item: '2', ...apart }] });
  expect((await shop.harness('items', '--json')).json()).toMatchObject({ items: [{}, { id: '2', apart }, {}] });
  const words = /#2\b.*begins after #1: both are expected to change src\/list/;
  for (const command of ['status', 'items']) expect((await shop.harness(command)).stdout).toMatch(words);
  writeFileSync(join(shop.around, 'go'), '');
  const ended = await run.ended;
  expectExit(ended, 0);
  const { items } = ended.json() as { readonly items: readonly { readonly id: string }[] };
  expect(items).toHaveLength(3); // none was overtaken
  await expectAllLanded(shop, 3);
  expect((await shop.harness('status', '--json')).json()).not.toHaveProperty('apart');
});
