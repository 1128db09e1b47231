// What the list and the log say when a run starts and when it ends, whatever state they are in.
import { describe, expect, test } from 'vitest';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { contextOf, tasksConfig, textsFrom } from '../../../test/support/read-context.ts';
import { textsOf } from '../../engine/definitions.ts';
import { runLog } from './run-log.ts';

const AT = '2025-07-01T10:00:00.123Z';
const LIST = JSON.stringify({
  session_config: { max_tasks_per_session: 7, max_sessions: 5 },
  tasks: [],
  session_count: 3,
});
const begin = (files: Files, stale: string | null = null) =>
  runLog.begin(contextOf(memoryWorld({ files }), tasksConfig()), { at: AT, pid: 12345, stale });

describe('at the start of a run', () => {
  test('the session is counted, and the log says who has the lock', async () => {
    expect(await begin({ 'harness-tasks.json': LIST }, '99')).toEqual({
      failure: null,
      most: 7,
      edit: { edit: 'tasks.session', input: { count: 4, at: '2025-07-01T10:00:00Z' } },
      lines: [
        '[2025-07-01T10:00:00Z] [SESSION-4] LOCK acquired (pid=12345)',
        '[2025-07-01T10:00:00Z] [SESSION-4] WARN Removed stale lock from pid=99',
      ],
    });
  });

  test('a task that cannot start is named with its reason, once', async () => {
    const tasks = [
      { id: 'a', title: 'a', status: 'pending', depends_on: ['b'] },
      { id: 'b', title: 'b', status: 'pending', depends_on: ['a'] },
    ];
    const list = JSON.stringify({ ...(JSON.parse(LIST) as object), tasks });
    const begun = await begin({ 'harness-tasks.json': list });
    expect(begun.lines.slice(1)).toEqual([
      '[2025-07-01T10:00:00Z] [SESSION-4] ERROR [a] [DEPENDENCY] Circular dependency detected: a -> b -> a',
      '[2025-07-01T10:00:00Z] [SESSION-4] ERROR [b] [DEPENDENCY] Circular dependency detected: b -> a -> b',
    ]);
    const again = await begin({ 'harness-tasks.json': list, 'harness-progress.txt': `${begun.lines.join('\n')}\n` });
    expect(again.lines).toHaveLength(1);
  });

  test('a session above the maximum does not start, and is not counted', async () => {
    const full = LIST.replace('"session_count":3', '"session_count":5');
    const begun = await begin({ 'harness-tasks.json': full });
    expect(begun).toMatchObject({ failure: null, limit: 'max-sessions', edit: null });
    expect(begun.lines.at(-2)).toContain('STATS tasks_total=0');
  });

  test('a list that cannot be parsed is restored from its copy', async () => {
    const files = { 'harness-tasks.json': LIST.slice(0, 20), 'harness-tasks.json.bak': LIST };
    const begun = await begin(files);
    expect(begun).toMatchObject({ failure: null, edit: { input: { count: 4 } } });
    if (begun.edit === null) throw new Error('the session is not counted');
    const made = textsFrom(await textsOf(begun.edit, contextOf(memoryWorld({ files }), tasksConfig())));
    expect(JSON.parse(made['harness-tasks.json'] ?? '')).toMatchObject({
      session_config: { max_tasks_per_session: 7 },
      session_count: 4,
      last_session: '2025-07-01T10:00:00Z',
    });
    expect(begun.lines[0]).toContain('restored from harness-tasks.json.bak');
  });

  test.each([
    ['no copy', {}],
    ['a copy that is broken as well', { 'harness-tasks.json.bak': '{' }],
  ])('with %s it does not start; the log says why, under the number after the last', async (_, more) => {
    const log = '[2025-06-01T10:00:00Z] [SESSION-6] LOCK released\na note of a user\n';
    const begun = await begin({ 'harness-tasks.json': '{', 'harness-progress.txt': log, ...more });
    expect(begun.failure).toMatchObject({ reason: 'backlog-invalid' });
    expect(begun.lines).toEqual([
      '[2025-07-01T10:00:00Z] [SESSION-7] ERROR [ENV_SETUP] harness-tasks.json corrupted and unrecoverable',
    ]);
  });

  test('a list with a mistake is no broken file: it is not restored, and nothing is written', async () => {
    const wrong = '{"tasks":[{"id":"a"}]}';
    expect(await begin({ 'harness-tasks.json': wrong, 'harness-tasks.json.bak': LIST })).toMatchObject({
      failure: { reason: 'backlog-invalid', params: { count: 2 } },
      edit: null,
      lines: [],
    });
    expect(await begin({})).toMatchObject({ failure: { reason: 'backlog-missing' } });
  });
});

test('at the end of a run the figures are the last line but one', async () => {
  const context = contextOf(memoryWorld({ files: { 'harness-tasks.json': LIST } }), tasksConfig());
  const ended = await runLog.end(context, { at: AT });
  expect(ended).toEqual({
    failure: null,
    edit: { edit: 'tasks.session', input: { count: 3, at: '2025-07-01T10:00:00Z' } },
    lines: [
      '[2025-07-01T10:00:00Z] [SESSION-3] STATS tasks_total=0 completed=0 failed=0 pending=0 blocked=0 attempts_total=0 checkpoints=0',
      '[2025-07-01T10:00:00Z] [SESSION-3] LOCK released',
    ],
  });
});

test('at the end of a run whose list cannot be read nothing is written', async () => {
  const context = contextOf(memoryWorld({ files: { 'harness-tasks.json': '{' } }), tasksConfig());
  expect(await runLog.end(context, { at: AT })).toEqual({ failure: null, edit: null, lines: [] });
});

describe('over a list of another format', () => {
  const config = tasksConfig({}, 'features');
  const list = fileOf([feature(1, { passes: true }), feature(2)]);
  const context = (more: Files = {}) => contextOf(memoryWorld({ files: { 'features.json': list, ...more } }), config);
  const about = { at: AT, pid: 12345, stale: null };
  const ledger = (count: number) => ({
    '.harness/tasks/harness-tasks.json': JSON.stringify({ tasks: [], session_count: count }),
  });

  test('the session is counted in the ledger, which is made where it is missing', async () => {
    const begun = await runLog.begin(context(), about);
    expect(begun).toMatchObject({ failure: null, most: 20, edit: { input: { count: 1 } } });
    expect((await runLog.begin(context(ledger(6)), about)).edit).toMatchObject({ input: { count: 7 } });
  });

  test('a ledger that cannot be read is made from scratch, without a word of a broken list', async () => {
    const begun = await runLog.begin(context({ '.harness/tasks/harness-tasks.json': '{' }), about);
    expect(begun).toMatchObject({ failure: null, edit: { input: { count: 1 } } });
    expect(begun.lines).toEqual(['[2025-07-01T10:00:00Z] [SESSION-1] LOCK acquired (pid=12345)']);
  });

  test('a run without a list that can be read does not start', async () => {
    const missing = contextOf(memoryWorld({ files: {} }), config);
    expect(await runLog.begin(missing, about)).toMatchObject({ failure: { reason: 'backlog-missing' }, edit: null });
    const broken = contextOf(memoryWorld({ files: { 'features.json': '{' } }), config);
    expect(await runLog.begin(broken, about)).toMatchObject({ failure: { policy: 'needs-human' }, lines: [] });
  });

  test('the figures at its end are of the items of the list', async () => {
    const ended = await runLog.end(context(ledger(6)), { at: AT });
    expect(ended.lines[0]).toContain('[SESSION-6] STATS tasks_total=2 completed=1 failed=0 pending=1');
  });
});
