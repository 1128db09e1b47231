// The ledger of the tasks machine: the list itself, or a file of its own that follows a list of another format.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { contextOf, tasksConfig, textsFrom } from '../../../test/support/read-context.ts';
import type { Feature } from '../features/schema.ts';
import { beginTaskAgain, ledgerPath, ledgerText, ownsList, patchTaskEdit, readLedger, sessionEdit } from './ledger.ts';
import type { Task, TasksFile } from './schema.ts';

const LEDGER = '.harness/tasks/harness-tasks.json';
const NOW = '2025-01-16T14:30:00Z';
const parsed = (text: string | undefined): TasksFile => JSON.parse(text ?? '') as TasksFile;

describe('where the list is of its own format', () => {
  const LIST = JSON.stringify({
    note: 'a field that is not of the format',
    tasks: [
      { id: 'a', title: 'A', status: 'pending' },
      { id: 'b', title: 'B', status: 'failed', attempts: 1 },
    ],
    session_count: 3,
  });
  const context = (text: string | null, more: Files = {}) =>
    contextOf(
      memoryWorld({ files: { ...(text === null ? {} : { 'harness-tasks.json': text }), ...more } }),
      tasksConfig(),
    );

  test('the ledger is the list, byte for byte', async () => {
    expect([ownsList(tasksConfig()), ledgerPath(tasksConfig())]).toEqual([true, 'harness-tasks.json']);
    expect(await ledgerText(context(LIST))).toEqual({ ok: true, value: LIST });
    expect(await readLedger(context(LIST))).toMatchObject({ ok: true, value: { tasks: [{ id: 'a' }, { id: 'b' }] } });
  });

  test.each([
    ['pending', {}],
    ['failed', { attempts: 1 }],
  ])(
    'a task under way whose work was taken back is %s, as before it was claimed, and no other task is',
    async (status, more) => {
      const tasks = [
        { id: 'a', title: 'A', status: 'in_progress', ...more },
        { id: 'b', title: 'B', status: 'in_progress' },
      ];
      const texts = textsFrom(await beginTaskAgain.texts(context(JSON.stringify({ tasks })), { item: 'a' }));
      expect(parsed(texts['harness-tasks.json']).tasks.map((task) => task.status)).toEqual([status, 'in_progress']);
      const again = await beginTaskAgain.texts(context(texts['harness-tasks.json'] ?? ''), { item: 'a' });
      expect(textsFrom(again)).toEqual({});
    },
  );

  test.each([
    ['a missing list', null, 'backlog-missing'],
    ['a list that does not parse', '{', 'backlog-invalid'],
    ['a list with a mistake', '{"tasks":[{"id":"a"}]}', 'backlog-invalid'],
  ])('%s is a failure for every reader and every edit', async (_, text, reason) => {
    const failed = { ok: false, failure: { reason } };
    expect(await readLedger(context(text))).toMatchObject(failed);
    expect(await patchTaskEdit.texts(context(text), { item: 'a', patch: {} })).toMatchObject(failed);
    expect(await sessionEdit.texts(context(text), { count: 4, at: NOW })).toMatchObject(
      text === '{' ? { ok: false } : failed,
    );
  });

  test('a patch changes the fields of one task and nothing else', async () => {
    const patch = { status: 'in_progress', started_at_commit: 'abc1234', checkpoints: [] };
    const made = textsFrom(await patchTaskEdit.texts(context(LIST), { item: 'a', patch }));
    const before = parsed(LIST);
    expect(parsed(made['harness-tasks.json'])).toEqual({
      ...before,
      tasks: before.tasks.map((task) => (task.id === 'a' ? { ...task, ...patch } : task)),
    });
    const again = await patchTaskEdit.texts(context(made['harness-tasks.json'] ?? ''), { item: 'a', patch });
    expect(textsFrom(again)).toEqual(made);
  });

  test('a session is counted in it', async () => {
    const made = textsFrom(await sessionEdit.texts(context(LIST), { count: 4, at: NOW }));
    expect(parsed(made['harness-tasks.json'])).toEqual({ ...parsed(LIST), session_count: 4, last_session: NOW });
  });

  test('a list that does not parse is restored from its copy before the session is counted', async () => {
    const broken = context(LIST.slice(0, 20), { 'harness-tasks.json.bak': LIST });
    const made = textsFrom(await sessionEdit.texts(broken, { count: 4, at: NOW }));
    expect(parsed(made['harness-tasks.json'])).toEqual({ ...parsed(LIST), session_count: 4, last_session: NOW });
    const both = context('{', { 'harness-tasks.json.bak': '{' });
    expect(await sessionEdit.texts(both, { count: 4, at: NOW })).toMatchObject({ ok: false });
    expect(await sessionEdit.texts(context('{'), { count: 4, at: NOW })).toMatchObject({
      ok: false,
      failure: { reason: 'backlog-missing' },
    });
  });
});

describe('where the list is of another format', () => {
  const config = tasksConfig({ testing: { ...configOf().testing, timeoutMinutes: 3 } }, 'features');
  const context = (features: readonly Feature[], ledger?: object | string, more = config) =>
    contextOf(
      memoryWorld({
        files: {
          'features.json': fileOf(features),
          ...(ledger === undefined ? {} : { [LEDGER]: typeof ledger === 'string' ? ledger : JSON.stringify(ledger) }),
        },
      }),
      more,
    );
  const tasksIn = async (...about: Parameters<typeof context>): Promise<readonly Task[]> => {
    const text = await ledgerText(context(...about));
    if (!text.ok) throw new Error(text.failure.reason);
    return parsed(text.value).tasks;
  };

  test('the ledger is a file of its own in the state folder', async () => {
    expect([ownsList(config), ledgerPath(config)]).toEqual([false, LEDGER]);
    const made = textsFrom(await sessionEdit.texts(context([feature(1)]), { count: 1, at: NOW }));
    expect(Object.keys(made)).toEqual([LEDGER]);
    expect(parsed(made[LEDGER])).toMatchObject({ version: 2, created: NOW, session_count: 1, last_session: NOW });
  });

  test('an item of the list is a new task, proved by its test', async () => {
    const features = [feature(1), feature(2, { depends_on: [1], priority: 1, test_file: "tests/it's.py" })];
    expect(await tasksIn(features)).toEqual([
      {
        attempts: 0,
        max_attempts: 3,
        started_at_commit: null,
        on_failure: { cleanup: null },
        error_log: [],
        checkpoints: [],
        id: '1',
        title: 'User can do thing 1',
        status: 'pending',
        priority: 'P2',
        depends_on: [],
        validation: { command: 'pytest tests/test_1.py -v', timeout_seconds: 180 },
        completed_at: null,
        skipped: null,
        override: null,
      },
      expect.objectContaining({
        id: '2',
        priority: 'P0',
        depends_on: ['1'],
        validation: { command: "pytest 'tests/it'\\''s.py' -v", timeout_seconds: 180 },
      }),
    ]);
  });

  test('an item that no command proves has none', async () => {
    const [manual] = await tasksIn([feature(1, { test_file: null, verification_type: 'manual' })]);
    expect(manual?.validation).toMatchObject({ command: null });
    const bare = { ...config, testing: { ...config.testing, feature: null } };
    const [untested] = await tasksIn([feature(1)], undefined, bare);
    expect(untested?.validation).toMatchObject({ command: null });
  });

  const known = {
    id: '1',
    title: 'An older title',
    status: 'failed',
    attempts: 2,
    max_attempts: 5,
    started_at_commit: 'abc1234',
    error_log: ['[TEST_FAIL] x'],
    checkpoints: [{ step: 1, total: 2, description: 'routes', timestamp: 'then' }],
    on_failure: { cleanup: 'make clean' },
    completed_at: null,
    skipped: { reason: 'no', unblock: false },
  };

  test('what was tried, failed and reported is kept; what the list says of an item counts', async () => {
    const [task] = await tasksIn([feature(1)], { created: 'then', tasks: [known] });
    expect(task).toMatchObject({
      title: 'User can do thing 1',
      status: 'failed',
      attempts: 2,
      max_attempts: 5,
      started_at_commit: 'abc1234',
      error_log: known.error_log,
      checkpoints: known.checkpoints,
      on_failure: known.on_failure,
      skipped: null,
    });
    const skipped = { reason: 'later', unblock: true };
    expect(await tasksIn([feature(1, { skipped })], { tasks: [known] })).toMatchObject([{ skipped }]);
  });

  test.each([
    ['passes in the list', true, 'failed', 'completed'],
    ['is under way', false, 'in_progress', 'in_progress'],
    ['was completed, and does not pass any more', false, 'completed', 'pending'],
  ])('an item that %s is %s', async (_, passes, before, status) => {
    const [task] = await tasksIn([feature(1, { passes })], { tasks: [{ ...known, status: before }] });
    expect(task?.status).toBe(status);
  });

  test('items that left the list leave the ledger, and new ones come to it', async () => {
    const ledger = { tasks: [known, { ...known, id: '7' }], session_count: 6, last_session: 'then' };
    const read = await readLedger(context([feature(2), feature(1)], ledger));
    expect(read).toMatchObject({ ok: true, value: { tasks: [{ id: '2' }, { id: '1' }], session_count: 6 } });
  });

  test('a patch is of the ledger alone, on top of what the list says by now', async () => {
    const patch = { status: 'completed', completed_at: NOW };
    const landed = context([feature(1, { passes: true })], { tasks: [known] });
    const made = textsFrom(await patchTaskEdit.texts(landed, { item: '1', patch }));
    expect(Object.keys(made)).toEqual([LEDGER]);
    expect(parsed(made[LEDGER]).tasks).toMatchObject([{ id: '1', ...patch, attempts: 2 }]);
    const again = context([feature(1, { passes: true })], made[LEDGER]);
    expect(textsFrom(await patchTaskEdit.texts(again, { item: '1', patch }))).toEqual(made);
  });

  test('a ledger that cannot be read is made from scratch', async () => {
    for (const text of ['{', '{"tasks":[{"id":"1"}]}'])
      expect(await tasksIn([feature(1)], text)).toMatchObject([{ id: '1', status: 'pending', attempts: 0 }]);
  });

  test('without a list that can be read there is no ledger', async () => {
    const missing = contextOf(memoryWorld({ files: { [LEDGER]: JSON.stringify({ tasks: [] }) } }), config);
    expect(await ledgerText(missing)).toMatchObject({ ok: false, failure: { reason: 'backlog-missing' } });
    const broken = contextOf(memoryWorld({ files: { 'features.json': '{' } }), config);
    expect(await patchTaskEdit.texts(broken, { item: '1', patch: {} })).toMatchObject({ ok: false });
  });
});
