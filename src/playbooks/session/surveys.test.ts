// Facts that every machine reads for a session, from a repository in memory.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { contextOf, tasksConfig } from '../../../test/support/read-context.ts';
import type { Config } from '../../model/config.ts';
import type { Feature } from '../features/schema.ts';
import { budget, directory, gitState, head, owners, testedItems } from './surveys.ts';

describe('before a session starts', () => {
  test('the folder must hold the configuration that was read', async () => {
    const ask = (source: string | null, files: Files) =>
      directory.read(contextOf(memoryWorld({ files }), configOf({ source })), {});
    expect(await ask('.harness.yaml', { '.harness.yaml': '' })).toEqual({ failure: null });
    expect(await ask(null, {})).toEqual({ failure: null });
    expect(await ask('/etc/harness.yaml', {})).toEqual({ failure: null });
    expect(await ask('.harness.yaml', {})).toMatchObject({
      failure: { reason: 'wrong-directory', params: { missing: '.harness.yaml' } },
    });
  });

  const git = (more: object) => gitState.read(contextOf(memoryWorld({ files: {}, ...more })), {});

  test('git must be on a branch with nothing uncommitted', async () => {
    expect(await git({})).toEqual({ failure: null });
    expect(await git({ branch: null })).toMatchObject({ failure: { reason: 'detached-head' } });
    expect(await git({ dirty: ['a', 'b'] })).toMatchObject({
      failure: { reason: 'dirty-tree', params: { count: 2, files: 'a, b' } },
    });
  });

  test('git must not be in the middle of a rebase, whatever is uncommitted because of it', async () => {
    expect(await git({ operation: 'rebase', branch: null, dirty: ['a'] })).toMatchObject({
      failure: { reason: 'git-operation-open', params: { operation: 'rebase' } },
    });
  });

  test('the commit that the branch is on is known', async () => {
    expect(await head.read(contextOf(memoryWorld({ files: {} })), {})).toEqual({ commit: 'head' });
  });

  describe('money', () => {
    const yaml = (total: number, ofItem: number, more = ''): string =>
      `cumulative:\n  total_cost_usd: ${total}\n  by_feature:\n    - { feature_id: 1, cost_usd: ${ofItem} }\n${more}`;
    const ask = (text: string | null, costs: Partial<Config['costs']>, session = 0) =>
      budget.read(
        contextOf(memoryWorld({ files: text === null ? {} : { '.harness/costs.yaml': text } }), configOf({ costs })),
        { item: '1', session },
      );

    test.each([
      [yaml(5, 3), {}, null],
      [yaml(5, 3), { totalProjectUsd: 5.01, perFeatureUsd: 3.01, perSessionUsd: 1 }, null],
      [yaml(5, 3), { totalProjectUsd: 5 }, 'project'],
      [yaml(5, 3), { perFeatureUsd: 3 }, 'feature'],
      [yaml(5, 3), { perSessionUsd: 0 }, 'session'],
      [null, { totalProjectUsd: 5, perFeatureUsd: 3 }, null],
      [null, { totalProjectUsd: 0 }, 'project'],
      [null, { perFeatureUsd: 0 }, 'feature'],
    ])('%j with the limits %j runs out of: %s', async (text, costs, which) => {
      const failure = which === null ? null : { reason: 'budget-exhausted', params: { scope: `budget-${which}` } };
      expect(await ask(text, costs)).toMatchObject({ failure });
    });

    test('that is used up says how much more was allowed already', async () => {
      const raised = 'raised:\n  - { scope: feature, item: "1", usd: 2 }\n';
      expect(await ask(yaml(5, 3, raised), { perFeatureUsd: 2 })).toEqual({ failure: null, over: null });
      expect(await ask(yaml(5, 4, raised), { perFeatureUsd: 2 })).toMatchObject({
        over: { scope: 'feature', unit: 'usd', spent: 4, limit: 4, base: 2 },
      });
    });

    test('of a session counts what this very session cost', async () => {
      const current = 'current_session: { session_id: 4, cost_usd: 2 }\n';
      expect(await ask(yaml(0, 0, current), { perSessionUsd: 2 }, 4)).toMatchObject({ over: { scope: 'session' } });
      expect(await ask(yaml(0, 0, current), { perSessionUsd: 2 }, 5)).toEqual({ failure: null, over: null });
    });

    test('in tokens and minutes runs out as money does, and is raised in its own unit', async () => {
      const kept = `cumulative:
  total_cost_usd: 0
  total_tokens: { input: 70, output: 30, cached: 900 }
  total_minutes: 12
  by_feature: [{ feature_id: 1, cost_usd: 0, tokens: { input: 10, output: 5 }, minutes: 3 }]
current_session: { session_id: 4, cost_usd: 0, tokens: { input: 4, output: 1 } }
raised: [{ scope: project, item: null, usd: 0, tokens: 50 }]
`;
      const overIn = async (limits: Partial<Config['limits']>, session = 0) => {
        const config = configOf({ limits });
        const world = memoryWorld({ files: { '.harness/costs.yaml': kept } });
        return (await budget.read(contextOf(world, config), { item: '1', session })).over;
      };
      expect(await overIn({ totalTokens: 51, perFeatureTokens: 16, perFeatureMinutes: 3.1, totalMinutes: 13 })).toBe(
        null,
      );
      expect(await overIn({ totalTokens: 50 })).toEqual({
        scope: 'project',
        unit: 'tokens',
        spent: 100,
        limit: 100,
        base: 50,
      });
      expect(await overIn({ perFeatureTokens: 15 })).toMatchObject({ scope: 'feature', unit: 'tokens' });
      expect(await overIn({ perFeatureMinutes: 3 })).toMatchObject({ scope: 'feature', unit: 'minutes', spent: 3 });
      expect(await overIn({ totalMinutes: 12 })).toMatchObject({ scope: 'project', unit: 'minutes' });
      expect(await overIn({ perSessionTokens: 5 }, 4)).toMatchObject({ scope: 'session', unit: 'tokens' });
    });

    test('of which a session that it ended left less than a tenth is used up: too little for another session', async () => {
      const current = 'current_session: { session_id: 4, cost_usd: 1.8 }\n';
      expect(await ask(yaml(0, 0, current), { perSessionUsd: 2 }, 4)).toMatchObject({ over: { spent: 1.8, limit: 2 } });
      expect(await ask(yaml(1.8, 1.8), { perFeatureUsd: 2 }, 0)).toEqual({ failure: null, over: null });
    });

    test('that cannot be read stops the run instead of counting as none spent', async () => {
      expect(await ask('cumulative: many', {})).toMatchObject({ failure: { reason: 'state-unreadable' } });
      expect(await ask('a: [', {})).toMatchObject({ failure: { reason: 'state-unreadable' } });
    });
  });
});

const featuresIn = (list: readonly Feature[]) => contextOf(memoryWorld({ files: { 'features.json': fileOf(list) } }));
const tasksIn = (tasks: readonly object[]) =>
  contextOf(memoryWorld({ files: { 'harness-tasks.json': JSON.stringify({ tasks }) } }), tasksConfig());
const noList = contextOf(memoryWorld({ files: {} }));

describe('broken tests', () => {
  test('are owned by the items with that test file that are done', async () => {
    const list = [
      feature(1, { passes: true }),
      feature(2, { passes: true, depends_on: [1] }),
      feature(3, { depends_on: [2] }),
      feature(4, { test_file: 'tests/test_1.py' }),
    ];
    const tests = ['pytest|tests/test_1.py||a', 'pytest|tests/test_1.py||b', 'pytest|tests/other.py||c'];
    expect(await owners.read(featuresIn(list), { tests })).toEqual({
      owners: [{ id: '1', title: 'User can do thing 1', testFile: 'tests/test_1.py', dependents: ['2', '3'] }],
    });
  });

  test.each([
    ['./tests/one.js', 'node|tests/one.js|outer > inner|adds', true],
    ['tests\\one.js', 'node|tests/one.js||adds', true],
    ['tests/u\u0308.js', 'node|tests/ü.js||adds', true],
    ['tests/test_1.py::TestC::test_m', 'pytest|tests/test_1.py|TestC|test_m', true],
    ['tests/login', 'vitest|tests/login/form.test.ts||adds', true],
    ['tests/one.js', 'node|api/tests/one.js||adds', true],
    ['tests/one.js', 'node|tests/one.jsx||adds', false],
    ['one.js', 'node|other/one.js||adds', false],
    ['tests/log', 'node|tests/login/a.js||adds', false],
    ['tests/one.js', 'tap||adds|1', false],
  ])('the test file %s owns %s: %s', async (test_file, id, isOwner) => {
    const list = [feature(1, { passes: true, test_file })];
    expect((await owners.read(featuresIn(list), { tests: [id] })).owners).toHaveLength(isOwner ? 1 : 0);
  });

  test('have at most ten owners, and none without a list or where ids name no files', async () => {
    const shared = Array.from({ length: 12 }, (_, n) => feature(n + 1, { passes: true, test_file: 'tests/all.py' }));
    const tests = ['pytest|tests/all.py||a'];
    expect((await owners.read(featuresIn(shared), { tests })).owners).toHaveLength(10);
    expect(await owners.read(noList, { tests })).toEqual({ owners: [] });
    const tasks = [{ id: 'a', title: 'A', status: 'completed', validation: { command: 'pytest tests/all.py' } }];
    expect(await owners.read(tasksIn(tasks), { tests })).toEqual({ owners: [] });
  });

  test('of an item that a person vouched for are its own, too', async () => {
    const override = { passes: true, reason: 'seen', by: 'Ada', at: 'then' };
    const found = await owners.read(featuresIn([feature(1, { passes: true, override })]), {
      tests: ['pytest|tests/test_1.py||a'],
    });
    expect(found.owners).toMatchObject([{ id: '1' }]);
  });
});

describe('items that landed and have a test file', () => {
  const override = { passes: true, reason: 'seen', by: 'Ada', at: 'then' };

  test('are those with a test file, the newest first, without those that a person vouched for', async () => {
    const list = [
      feature(1, { passes: true }),
      feature(2),
      feature(3, { passes: true, override }),
      feature(4, { passes: true, test_file: null, verification_type: 'manual' }),
      feature(5, { passes: true }),
    ];
    expect(await testedItems.read(featuresIn(list), {})).toEqual({
      items: [
        { id: '5', testFile: 'tests/test_5.py' },
        { id: '1', testFile: 'tests/test_1.py' },
      ],
    });
  });

  test('are none in a list whose items have a command instead of a test file', async () => {
    const validation = { command: 'make check', timeout_seconds: 90 };
    const tasks = [{ id: 'a', title: 'A', status: 'completed', validation }];
    expect(await testedItems.read(tasksIn(tasks), {})).toEqual({ items: [] });
  });

  test('are a hundred at most, and none without a list', async () => {
    const many = Array.from({ length: 120 }, (_, n) => feature(n + 1, { passes: true }));
    const { items } = await testedItems.read(featuresIn(many), {});
    expect([items.length, items[0]?.id, items.at(-1)?.id]).toEqual([100, '120', '21']);
    expect(await testedItems.read(noList, {})).toEqual({ items: [] });
  });
});
