// An item with a trouble of its own is left aside; the others land, and the end of the run names it.
import { expect, test } from 'vitest';
import { task } from '../support/task-record.ts';
import { at, lanesShop, make } from './lanes-shop.ts';
import { made, taskList } from './task-list.ts';
import { expectExit } from './workshop.ts';

test('a task whose program is not installed waits for it, unpaid; the tasks after it are done', async () => {
  const shop = taskList(
    [
      task('task-001', { priority: 'P0', validation: { command: 'no-such-program --now' } }),
      task('task-002'),
      task('task-003'),
    ],
    { sessions: ['task-002', 'task-003'].map((id) => made(id)) },
  );
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 5);
  expect(ran.json()).toMatchObject({
    result: 'blocked',
    reason: 'validation-missing',
    landed: ['task-002', 'task-003'],
    left: [{ item: 'task-001', reason: 'validation-missing' }],
  });
  expect(shop.task('task-001')).toMatchObject({ status: 'pending', attempts: 0 });
  expect(shop.git('status', '--porcelain')).toBe('');
  const again = await shop.harness('run');
  expectExit(again, 5);
  expect(again.stderr).toContain('Install no-such-program');
});

test('an item that a person will split is left aside while two lanes land the others; the end names it', async () => {
  const big = { verification_steps: ['one', 'two', 'three', 'four', 'five', 'six', 'seven'] };
  const shop = lanesShop(3, 2, {
    config: 'features: { max_verification_steps: 3 }\n',
    sessions: [2, 3].map((item) => at(item, ...make(item))),
    files: {
      'features.json': JSON.stringify({
        features: [1, 2, 3].map((id) => ({
          id,
          category: 'bench',
          description: `Thing ${id} is there`,
          test_file: `tests/thing${id}.test`,
          passes: false,
          ...(id === 1 ? big : {}),
        })),
      }),
    },
  });
  const asked = await shop.harness('run', '1', '--json', '--no-input');
  expectExit(asked, 3);
  const [gate = ''] = (asked.json() as { readonly gates: readonly string[] }).gates;
  expectExit(await shop.harness('answer', gate, 'split', '-m', 'two things'), 0);
  const ran = await shop.harness('run', '--until-done', '--no-input');
  expectExit(ran, 3);
  expect(ran.stdout).toContain('Item 1 is left aside: a person will split it');
  expect(ran.stdout).toContain('Left aside, until you have done what they need: #1');
  expect(shop.features().map(({ passes }) => passes)).toEqual([false, true, true]);
  const left = shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/parked', 'refs/harness/wip');
  expect([left, shop.processes(), shop.git('status', '--porcelain')]).toEqual(['', [], '']);
});
