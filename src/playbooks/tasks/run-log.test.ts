// The two ends of a session: what the list and the log say, whatever state they are in.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { begins, ends } from './sessions.ts';

const config = configOf({
  playbook: { backlog: 'tasks', machine: 'tasks' },
  paths: { backlog: 'harness-tasks.json', progress: 'harness-progress.txt', stateDir: '.harness' },
});
const AT = '2025-07-01T10:00:00.123Z';
const LIST = JSON.stringify({
  session_config: { max_tasks_per_session: 7, max_sessions: 5 },
  tasks: [],
  session_count: 3,
});
const begin = (files: Files, stale: string | null = null) =>
  begins(memoryWorld({ files }), { config, at: AT, pid: 12345, stale });

describe('at its beginning', () => {
  test('the session is counted, and the log says who has the lock', async () => {
    expect(await begin({ 'harness-tasks.json': LIST }, '99')).toEqual({
      failure: null,
      most: 7,
      edit: { name: 'session', input: { backlog: 'harness-tasks.json', count: 4, at: '2025-07-01T10:00:00Z' } },
      lines: [
        '[2025-07-01T10:00:00Z] [SESSION-4] LOCK acquired (pid=12345)',
        '[2025-07-01T10:00:00Z] [SESSION-4] WARN Removed stale lock from pid=99',
      ],
    });
  });

  test('one more than there may be does not begin, and is not counted', async () => {
    const full = LIST.replace('"session_count":3', '"session_count":5');
    const begun = await begin({ 'harness-tasks.json': full });
    expect(begun).toMatchObject({ failure: null, limit: 'max-sessions', edit: null });
    expect(begun.lines.at(-2)).toContain('STATS tasks_total=0');
  });

  test('a list that cannot be parsed is brought back from its copy', async () => {
    const begun = await begin({ 'harness-tasks.json': LIST.slice(0, 20), 'harness-tasks.json.bak': LIST });
    expect(begun).toMatchObject({ failure: null, edit: { name: 'restore', input: { count: 4 } } });
    expect(begun.lines[0]).toContain('restored from harness-tasks.json.bak');
  });

  test.each([
    ['no copy', {}],
    ['a copy that is broken as well', { 'harness-tasks.json.bak': '{' }],
  ])('with %s it does not begin; the session after the last in the log says why', async (_, more) => {
    const log = '[2025-06-01T10:00:00Z] [SESSION-6] LOCK released\na note of a person\n';
    const begun = await begin({ 'harness-tasks.json': '{', 'harness-progress.txt': log, ...more });
    expect(begun.failure).toMatchObject({ reason: 'backlog-invalid' });
    expect(begun.lines).toEqual([
      '[2025-07-01T10:00:00Z] [SESSION-7] ERROR [ENV_SETUP] harness-tasks.json corrupted and unrecoverable',
    ]);
  });

  test('a list with a mistake is no broken file: it is not put back, and nothing is written', async () => {
    const wrong = '{"tasks":[{"id":"a"}]}';
    expect(await begin({ 'harness-tasks.json': wrong, 'harness-tasks.json.bak': LIST })).toMatchObject({
      failure: { reason: 'backlog-invalid', params: { count: 2 } },
      edit: null,
      lines: [],
    });
    expect(await begin({})).toMatchObject({ failure: { reason: 'backlog-missing' } });
  });
});

test('at its end the figures are the last word but one', async () => {
  const ended = await ends(memoryWorld({ files: { 'harness-tasks.json': LIST } }), { config, at: AT });
  expect(ended.lines).toEqual([
    '[2025-07-01T10:00:00Z] [SESSION-3] STATS tasks_total=0 completed=0 failed=0 pending=0 blocked=0 attempts_total=0 checkpoints=0',
    '[2025-07-01T10:00:00Z] [SESSION-3] LOCK released',
  ]);
});
