// `harness retry`: attempts that something else than the item used up are given back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { task } from '../support/task-record.ts';
import { made, taskList } from './task-list.ts';
import { expectExit } from './workshop.ts';

const FAILED = { status: 'failed', attempts: 3, error_log: ['[TASK_EXEC] the agent failed: agent-crashed'] };
const WAITING = { write: { path: 'task-001.txt', text: 'task-001\n' } };

describe('a list of tasks', () => {
  test('whose attempts are used up names the command, which gives them back; errors stay, what depends on them can start', async () => {
    const shop = taskList([
      task('task-001', FAILED),
      task('task-002', { depends_on: ['task-001'] }),
      task('task-003', { status: 'completed' }),
    ]);
    const given = await shop.harness('run');
    expectExit(given, 3);
    expect(given.stderr).toContain('harness retry --all');
    const retried = await shop.harness('retry', '--all', '--json');
    expectExit(retried, 0);
    expect(retried.json()).toMatchObject({ items: ['task-001', 'task-002'], result: 'applied', commit: null });
    expect(shop.task('task-001')).toMatchObject({ status: 'pending', attempts: 0, error_log: FAILED.error_log });
    expect(shop.task('task-002')).toMatchObject({ status: 'pending', error_log: [] });
    expect((await shop.harness('retry', 'task-001', '--json')).json()).toMatchObject({ result: 'already' });
    const landed = await shop.harness('retry', 'task-003', '--json');
    expect([landed.code, landed.json()]).toMatchObject([2, { error: { code: 'retry-refused' } }]);
    expect(shop.git('log', '--format=%s')).toBe('start');
  });

  test('at work takes it before the next task; the task at work is refused', async () => {
    const shop = taskList([task('task-001', { priority: 'P0' }), task('task-002', FAILED)], {
      sessions: [
        {
          when: { item: 'task-001' },
          turns: [
            [
              { write: { path: 'started.txt', text: 'x' } },
              { wait_for_file: { path: '../go', seconds: 60 } },
              WAITING,
              { say: 'Done.' },
            ],
          ],
        },
        made('task-002'),
      ],
    });
    const live = shop.start('run');
    await live.until(join(shop.root, 'started.txt'));
    const busy = await shop.harness('retry', 'task-001');
    expect([busy.code, busy.stderr]).toEqual([2, expect.stringContaining('it is at work')]);
    const queued = await shop.harness('retry', 'task-002', '--json');
    expect([queued.code, queued.json()]).toMatchObject([0, { result: 'queued', behind: 'run' }]);
    writeFileSync(join(shop.around, 'go'), '');
    expectExit(await live.ended, 0);
    expect(shop.task('task-002')).toMatchObject({ status: 'completed', attempts: 0 });
  });
});

test('a feature that is nearly stuck counts its sessions from zero', async () => {
  const repo = makeRepo();
  const state = { schema_version: 3, last_session: 4, status: 'failed', current_feature: 2, stuck_count: 3, mine: 1 };
  repo.write('.harness/session_state.json', JSON.stringify({ ...state, timestamp: '2026-01-01T00:00:00Z' }));
  const retried = await repo.harness('retry', '2');
  expect([retried.code, retried.stdout]).toEqual([0, 'Attempts given back: #2\n']);
  expect(JSON.parse(repo.read('.harness/session_state.json'))).toMatchObject({ ...state, stuck_count: 0 });
  expect([repo.git('log', '--format=%s'), repo.git('status', '--porcelain')]).toEqual(['start', '']);
  for (const words of [['retry'], ['retry', '2', '--all'], ['retry', '77'], ['retry', '1']])
    expect((await repo.harness(...words)).code, words.join(' ')).toBe(2);
});
