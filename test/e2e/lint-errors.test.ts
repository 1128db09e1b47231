// `quality.warn_on_lint_errors: false`: work that brings lint errors is refused, with their lines in the next prompt; those of before only warn.
import { expect, test } from 'vitest';
import { task } from '../support/task-record.ts';
import { made, taskList } from './task-list.ts';
import { expectExit, session, work, workshop } from './workshop.ts';

const LINT = `quality: { lint_command: 'sh -c "! grep -rn TODO src"', warn_on_lint_errors: false }`;
const OLD = { 'src/old': 'TODO from before\n' };
const untidy = { write: { path: 'src/new', text: 'one\nTODO later\n' } };

test('a feature with a new lint error gets its line back, and lands without it in spite of the old ones', async () => {
  const shop = workshop({
    sessions: [
      {
        when: { item: 1 },
        turns: [
          [untidy, ...work(1)],
          [{ delete: 'src/new' }, 'claim'],
        ],
      },
    ],
    config: LINT,
    files: OLD,
  });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ landed: ['1'] });
  const back = shop.read('.harness/sessions/1/prompt-2.md');
  expect(back).toContain('Check lint reports 1 error that was not there before this change');
  expect(back).toContain('src/new:2:TODO later');
  expect(back).not.toContain('from before');
});

test('a feature that keeps it is rolled back, and the next session begins with it', async () => {
  const shop = workshop({ sessions: [session(1, untidy, ...work(1))], config: LINT, files: OLD });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 9);
  expect(ran.json()).toMatchObject({ result: 'rejected', reason: 'lint-errors-added' });
  expect(shop.subjects()).toEqual([]);
  expectExit(await shop.harness('run'), 9);
  expect(shop.read('.harness/sessions/2/prompt-1.md')).toContain('src/new:2:TODO later');
});

test('a task is refused as well', async () => {
  const tasks = [task('task-001', { max_attempts: 1 })];
  const shop = taskList(tasks, { sessions: [made('task-001', untidy)], config: LINT, files: OLD });
  const ran = await shop.harness('run', '--json');
  expect(ran.json()).toMatchObject({ items: [{ id: 'task-001', reason: 'lint-errors-added' }] });
});
