// Facts that the loop and the features machine read, from a repository in memory.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { problem } from '../../../test/support/outcomes.ts';
import type { CommitFacts } from '../../model/repository-view.ts';
import { contextOf } from '../../../test/support/read-context.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import {
  claim,
  cleanupDue,
  files as filesSurvey,
  item as itemSurvey,
  largeFiles,
  next as nextSurvey,
} from './surveys.ts';
import type { Feature } from './schema.ts';
import { flipPasses } from './change.ts';
import { emptySessionState, type SessionStateFile } from '../session/session-state.ts';

const state = (more: Partial<SessionStateFile>): Files => ({
  '.harness/session_state.json': JSON.stringify({ ...emptySessionState('then'), ...more }),
});
const world = (features: readonly Feature[], files: Files = {}) =>
  memoryWorld({ files: { 'features.json': fileOf(features), ...files } });
const nextIn = (view: RepositoryView, only: string | null = null, config = configOf()) =>
  nextSurvey.read(contextOf(view, config), { only, taken: [] });
const itemIn = (view: RepositoryView, item = '1', config = configOf()) =>
  itemSurvey.read(contextOf(view, config), { item });

describe('items that wait for each other', () => {
  const next = (list: Parameters<typeof world>[0]) => nextIn(world(list));
  const cycle = [feature(20, { depends_on: [21] }), feature(21, { depends_on: [20] })];

  test('are named with their cycle, so that a person can decide about them', async () => {
    expect(await next([feature(1), ...cycle])).toMatchObject({
      next: null,
      failure: { reason: 'backlog-invalid' },
      cycle: { items: ['20', '21'], paths: ['20 → 21 → 20'] },
    });
  });

  test('are no question where something else is wrong as well: the list has to be fixed anyway', async () => {
    expect(await next([...cycle, feature(3, { depends_on: [99] })])).not.toHaveProperty('cycle');
  });
});

describe('work that an item left on the branch', () => {
  const commit = (id: string, trailers: CommitFacts['trailers']): CommitFacts => ({
    id,
    subject: '',
    at: '',
    trailers,
  });
  const half = (id: string, item: string): CommitFacts => commit(id, { 'Harness-Provisional': item });
  const skipped = { skipped: { reason: 'no', unblock: false } };
  const ask = async (commits: readonly CommitFacts[], changed: string, two = skipped) => {
    const files = { 'features.json': fileOf([feature(1, two), feature(2)]) };
    const changedBy = Object.fromEntries(commits.map(({ id }) => [id, ['claude-progress.txt', changed]]));
    return nextIn(memoryWorld({ files, commits, changedBy }));
  };

  test.each([
    ['skipped', { skipped: { reason: 'no', unblock: false } }, true],
    ['done by other means', { passes: true }, true],
    ['open', {}, false],
  ])('or beside it is named where the item is %s: %j', async (_, more, isOver) => {
    const files = { 'features.json': fileOf([feature(1, more), feature(2)]) };
    const wip = { item: '1', ref: 'refs/harness/wip/1', commit: 'kept', session: 2, subject: 'WIP: ', at: '' };
    const found = await nextIn(memoryWorld({ files, wips: [wip] }));
    expect(found.leftover).toBe(isOver ? '1' : undefined);
  });

  test('is named once the item is skipped, together with the next item', async () => {
    expect(await ask([half('b', '2'), half('a', '1')], 'src.ts')).toMatchObject({ next: '2', leftover: '1' });
  });

  test.each([
    ['the item is worked on', [half('a', '1')], 'src.ts', {}],
    ['only a line in the log is left', [half('a', '1')], 'features.json', skipped],
    ['it was reverted', [commit('b', { 'Harness-Unwinds': '1' }), half('a', '1')], 'src.ts', skipped],
    ['it is another item’s', [half('a', '2')], 'src.ts', skipped],
  ])('is not named where %s', async (_, commits, changed, two) => {
    expect(await ask(commits, changed, two as typeof skipped)).not.toHaveProperty('leftover');
  });
});

describe('what is next', () => {
  const next = nextIn;
  const three = [feature(1, { passes: true }), feature(2), feature(3, { depends_on: [2] })];

  test('is the first ready feature, in the session after the last', async () => {
    expect(await next(world(three))).toEqual({ next: '2', remaining: 2, session: 1, failure: null });
    expect(await next(world(three, state({ last_session: 7 })))).toMatchObject({ next: '2', session: 8 });
  });

  test('is the partial feature before any other, where the last session is to be continued', async () => {
    const two = [feature(1, { priority: 1 }), feature(2, { priority: 9 })];
    const going = { status: 'partial', next_prompt: 'continuation', current_feature: 2, last_session: 1 } as const;
    expect(await next(world(two, state(going)))).toMatchObject({ next: '2', session: 2 });
    expect(await next(world(two, state({ ...going, next_prompt: 'coding' })))).toMatchObject({ next: '1' });
    const landed = [feature(1), feature(2, { passes: true })];
    expect(await next(world(landed, state(going)))).toMatchObject({ next: '1' });
  });

  test('is nothing where everything has landed, and nothing with a remainder where all the others wait', async () => {
    expect(await next(world([feature(1, { passes: true })]))).toMatchObject({
      next: null,
      remaining: 0,
      failure: null,
    });
    const wall = [feature(1, { skipped: { reason: 'no', unblock: false } }), feature(2, { depends_on: [1] })];
    expect(await next(world(wall))).toMatchObject({ next: null, remaining: 1, failure: null });
  });

  test('is the item that was asked for, if it is ready', async () => {
    const two = [feature(1), feature(2)];
    expect(await next(world(two), '2')).toMatchObject({ next: '2', failure: null });
  });

  test.each([
    ['9', { reason: 'item-unknown' }],
    ['1', { reason: 'item-not-ready', params: { status: 'item-landed' } }],
    ['3', { reason: 'item-not-ready', params: { status: 'item-blocked', blockers: '2' } }],
  ])('is not the item %s that was asked for, for a reason', async (only, failure) => {
    expect(await next(world(three), only)).toMatchObject({ next: null, failure });
  });

  test('is a failure where the list is missing or broken, or the state is of a newer version', async () => {
    expect(await next(memoryWorld({ files: {} }))).toMatchObject({
      next: null,
      failure: { reason: 'backlog-missing' },
    });
    const broken = memoryWorld({ files: { 'features.json': '{"features": [' } });
    expect(await next(broken)).toMatchObject({ next: null, failure: { policy: 'needs-human' } });
    const newer = { '.harness/session_state.json': JSON.stringify({ ...emptySessionState(''), schema_version: 9 }) };
    expect(await next(world(three, newer))).toMatchObject({ next: null, failure: { reason: 'state-newer' } });
  });
});

describe('the feature of a session', () => {
  const ask = itemIn;
  const record = (more: object) => ({ feature_id: 1, result: 'failed', reason: 'tests-failed', problems: [], ...more });
  const session = (n: number, value: unknown): Files => ({
    [`.harness/sessions/${n}/session.json`]: JSON.stringify(value),
  });

  test('that was never worked on is its title, its test and a first attempt', async () => {
    const { facts } = await ask(world([feature(1, { category: 'auth' })]));
    expect(facts).toEqual({
      id: '1',
      title: 'User can do thing 1',
      category: 'auth',
      testFile: 'tests/test_1.py',
      mayChangeTests: [],
      partial: null,
      last: null,
      failed: [],
      oversized: [],
      attempt: 1,
    });
  });

  test.each([
    [
      'partial',
      'timeout',
      { partial: { session: 2, reason: 'timeout' }, failed: [{ code: 'tests-failed', params: {} }] },
    ],
    ['partial', 'context_limit', { partial: { session: 2, reason: 'context_limit' } }],
    ['partial', null, { partial: { session: 2, reason: 'complete' } }],
    ['failed', 'error', { partial: null, failed: [{ code: 'tests-failed', params: {} }] }],
    ['complete', null, { partial: null, failed: [] }],
  ] as const)('whose last session was %s (%s) says what there is to continue', async (status, reason, expected) => {
    const files = {
      ...state({ last_session: 2, status, termination_reason: reason, current_feature: 1, stuck_count: 2 }),
      ...session(2, record({ problems: [{ code: 'tests-failed', params: {} }] })),
    };
    const { facts } = await ask(world([feature(1)], files));
    expect(facts).toMatchObject({ ...expected, attempt: 3, last: { session: 2, status, reason: 'tests-failed' } });
  });

  test('has nothing of the last session of another feature', async () => {
    const files = state({ last_session: 2, status: 'partial', current_feature: 1, stuck_count: 2 });
    expect((await ask(world([feature(1), feature(2)], files), '2')).facts).toMatchObject({
      partial: null,
      failed: [],
      attempt: 1,
    });
  });

  test('has nothing to continue where its unfinished work was reverted', async () => {
    const commit = (id: string, name: string): CommitFacts => ({ id, subject: '', at: '', trailers: { [name]: '1' } });
    const files = {
      'features.json': fileOf([feature(1)]),
      ...state({ last_session: 2, status: 'partial', current_feature: 1 }),
    };
    const commits = [commit('b', 'Harness-Unwinds'), commit('a', 'Harness-Provisional')];
    expect((await ask(memoryWorld({ files, commits }))).facts?.partial).toBeNull();
    expect((await ask(memoryWorld({ files, commits: commits.slice(1) }))).facts?.partial).not.toBeNull();
  });

  test('continues the work in progress that is kept beside the branch, whichever session was the last', async () => {
    const files = {
      'features.json': fileOf([feature(1), feature(2)]),
      ...state({ last_session: 5, status: 'failed', current_feature: 2 }),
      ...session(2, record({ reason: 'timeout' })),
    };
    const wip = { item: '1', ref: 'refs/harness/wip/1', commit: 'kept', session: 2, subject: 'WIP: ', at: '' };
    const { facts } = await ask(memoryWorld({ files, wips: [wip] }));
    expect(facts?.partial).toEqual({ session: 2, reason: 'timeout', base: null, wip: 'kept' });
    expect((await ask(memoryWorld({ files, wips: [wip] }), '2')).facts?.partial).toBeNull();
  });

  describe('with work in progress of an earlier session', () => {
    const wip = { item: '1', ref: 'refs/harness/wip/1', commit: 'kept', session: 2, subject: 'WIP: ', at: '' };
    const [found, newer] = [problem('tests-failed'), problem('regression')];
    const failedOf = async (last: object, ofLast: readonly object[] = [], ofWip: readonly object[] = [found]) => {
      const files = {
        'features.json': fileOf([feature(1), feature(2)]),
        ...state({ last_session: 5, ...last }),
        ...session(2, record({ reason: 'review', problems: ofWip })),
        ...session(5, record({ problems: ofLast })),
      };
      return (await ask(memoryWorld({ files, wips: [wip] }))).facts?.failed;
    };

    test.each([
      ['the last session was on another item', { status: 'failed', current_feature: 2 }],
      ['the last session crashed', { status: 'failed', current_feature: 1 }],
      ['the last session was cut on another item', { status: 'partial', current_feature: 2 }],
    ] as const)('says what is wrong with it where %s', async (_, last) => {
      expect(await failedOf(last)).toEqual([found]);
    });

    test('says what is wrong with the last attempt at this item, where that is known', async () => {
      expect(await failedOf({ status: 'failed', current_feature: 1 }, [newer])).toEqual([newer]);
    });

    test('says nothing of problems that another item had, or that no session recorded', async () => {
      expect(await failedOf({ status: 'failed', current_feature: 2 }, [newer], [])).toEqual([]);
    });
  });

  test('has as its base the commit below its own provisional commits', async () => {
    const commit = (id: string, item?: string): CommitFacts => ({
      id,
      subject: '',
      at: '',
      trailers: item === undefined ? {} : { 'Harness-Provisional': item },
    });
    const w = memoryWorld({
      files: {
        'features.json': fileOf([feature(1)]),
        ...state({ last_session: 2, status: 'partial', current_feature: 1 }),
      },
      commits: [commit('c', '1'), commit('b', '1'), commit('a', '2'), commit('root')],
    });
    expect((await ask(w)).facts?.partial?.base).toBe('a');
  });

  test.each([
    ['is not JSON', 'not json'],
    ['has another shape', JSON.stringify({ problems: 'many' })],
    [
      'names problems of another version',
      JSON.stringify(record({ problems: [{ code: 'of-the-future', params: {} }] })),
    ],
    ['names problems without parameters', JSON.stringify(record({ problems: [{ code: 'tests-failed' }] }))],
  ])('with a record that %s has nothing of what cannot be read', async (_what, text) => {
    const files = {
      ...state({ last_session: 2, status: 'failed', current_feature: 1 }),
      '.harness/sessions/2/session.json': text,
    };
    const { facts } = await ask(world([feature(1)], files));
    for (const p of facts?.failed ?? []) expect(p).toEqual({ code: 'tests-failed', params: {} });
    expect(facts?.last).toMatchObject({ session: 2, status: 'failed' });
  });

  test('that is too large by what can be counted says so, unless a person accepted its size', async () => {
    const steps = Array.from({ length: 9 }, (_, n) => `step ${n}`);
    const large = feature(1, { verification_steps: steps });
    expect((await ask(world([large]))).facts?.oversized).toMatchObject([{ flag: 'too-many-steps' }]);
    expect((await ask(world([{ ...large, size_accepted: true }]))).facts?.oversized).toEqual([]);
    expect((await ask(world([feature(1, { description: 'User can manage orders' })]))).facts?.oversized).toEqual([]);
  });

  test('that a person has a part in proving says what they look at; one that does not exist is a failure', async () => {
    const hybrid = feature(1, {
      verification_type: 'hybrid',
      verification_steps: ['open the page'],
      automated_checks: ['No console errors', '$ npm run a11y'],
      manual_checks: ['matches the mockup'],
      visual_verification: { enabled: true, steps: ['shot before'] },
    });
    expect((await ask(world([hybrid]))).facts?.byHand).toEqual({
      kind: 'hybrid',
      checks: ['matches the mockup'],
      steps: ['open the page', 'shot before'],
      commands: ['npm run a11y'],
    });
    const manual = feature(1, { verification_type: 'manual' });
    expect((await ask(world([manual]))).facts?.byHand).toMatchObject({ kind: 'manual', checks: [] });
    expect((await ask(world([feature(1)]))).facts).not.toHaveProperty('byHand');
    expect((await ask(world([feature(1)]), '8')).failure).toMatchObject({ reason: 'item-unknown' });
  });
});

describe('the claim of an agent', () => {
  const list = fileOf([feature(1), feature(2)]);
  const passing = flipPasses(list, '1');
  const ask = (now: string | null, before: string | null = list, config = configOf()) =>
    claim.read(
      contextOf(
        memoryWorld({
          files: now === null ? {} : { [config.paths.backlog]: now },
          revisions: { cp: before === null ? {} : { [config.paths.backlog]: before } },
        }),
        config,
      ),
      { before: 'cp', item: '1' },
    );

  test('is the difference of the list from the checkpoint: its own item, and nothing else', async () => {
    expect(await ask(passing)).toEqual({ problems: [] });
    expect(await ask(list)).toMatchObject({ problems: [{ code: 'nothing-claimed' }] });
    expect((await ask(flipPasses(passing, '2'))).problems).not.toEqual([]);
    expect((await ask(null)).problems).not.toEqual([]);
  });

  test('cannot be judged without the list of the checkpoint', async () => {
    expect(await ask(passing, null)).toEqual({
      problems: [{ code: 'backlog-unreadable', params: { why: 'missing-before' } }],
    });
  });

  test('is the end of its turn on a list without claims', async () => {
    const config = configOf({ playbook: { backlog: 'tasks', machine: 'features' } });
    expect(await ask('{}', null, config)).toEqual({ problems: [] });
  });
});

describe('the files of a project', () => {
  const files: Files = {
    'features.json': fileOf([feature(1)]),
    'claude-progress.txt': '',
    '.harness.yaml': '',
    'init.sh': '',
    'reset.sh': '',
  };
  const ask = (without: readonly string[], executable: readonly string[], config = configOf()) => {
    const there = Object.fromEntries(Object.entries(files).filter(([path]) => !without.includes(path)));
    return filesSurvey.read(contextOf(memoryWorld({ files: there, executable }), config), {});
  };
  const scripts = ['init.sh', 'reset.sh'];

  test('are the configuration, the list, the log and the scripts, which can be executed', async () => {
    expect(await ask([], scripts)).toEqual({ missing: [], notExecutable: [] });
    expect(await ask(['reset.sh', '.harness.yaml', 'claude-progress.txt'], scripts)).toEqual({
      missing: ['.harness.yaml', 'claude-progress.txt', 'reset.sh'],
      notExecutable: [],
    });
    expect(await ask([], ['init.sh'])).toEqual({ missing: [], notExecutable: ['reset.sh'] });
  });

  test('do not include a configuration outside of the repository', async () => {
    expect((await ask(['.harness.yaml'], scripts, configOf({ source: '/etc/harness.yaml' }))).missing).toEqual([]);
  });

  test('are the configuration and the list alone where the list is of another format', async () => {
    const config = configOf({
      playbook: { backlog: 'tasks', machine: 'features' },
      paths: { backlog: 'harness-tasks.json' },
    });
    expect(await ask(['claude-progress.txt'], [], config)).toEqual({
      missing: ['harness-tasks.json'],
      notExecutable: [],
    });
  });
});

describe('a cleanup', () => {
  const due = (passing: number, cleanupInterval: number) =>
    cleanupDue.read(
      contextOf(
        world(Array.from({ length: 12 }, (_, n) => feature(n + 1, { passes: n < passing }))),
        configOf({ quality: { cleanupInterval } }),
      ),
      {},
    );

  test.each([
    [10, 10, true],
    [5, 5, true],
    [10, 5, true],
    [9, 10, false],
    [0, 10, false],
    [10, 0, false],
  ])('with %i landed items and an interval of %i is due: %s', async (passing, interval, isDue) => {
    expect(await due(passing, interval)).toEqual({ isDue });
  });

  test('is next where the last landing made it due, or a user asks for it', async () => {
    const one = [feature(1), feature(2)];
    expect(await nextIn(world(one, state({ next_prompt: 'cleanup' })))).toMatchObject({ next: 'cleanup' });
    expect(await nextIn(world(one), 'cleanup')).toMatchObject({ next: 'cleanup', failure: null });
    expect(await nextIn(world(one, state({ next_prompt: 'cleanup' })), '1')).toMatchObject({ next: '1' });
  });

  test('is about the longest files first, at most thirty, by the last count', async () => {
    const counted = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}.ts`, { lines: 490 + n }]));
    const read = (text: string) =>
      largeFiles.read(contextOf(memoryWorld({ files: { '.harness/file_sizes.json': text } })), {});
    const found = (await read(JSON.stringify({ files: counted }))).largeFiles;
    expect(found).toHaveLength(29);
    expect(found[0]).toEqual({ path: 'f39.ts', lines: 529 });
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}.ts`, { lines: 600 + n }]));
    expect((await read(JSON.stringify({ files: many }))).largeFiles).toHaveLength(30);
    for (const text of ['not json', '{"files": 1}', 'null']) expect(await read(text)).toEqual({ largeFiles: [] });
  });
});

describe('a list of another format', () => {
  const config = configOf({
    playbook: { backlog: 'tasks', machine: 'features' },
    paths: { backlog: 'harness-tasks.json' },
  });
  const task = (id: string, more: object = {}) => ({ id, title: `Title of ${id}`, status: 'pending', ...more });
  const command = { command: 'make check', timeout_seconds: 90 };
  const view = (tasks: readonly object[], files: Files = {}) =>
    memoryWorld({ files: { 'harness-tasks.json': JSON.stringify({ tasks }), ...files } });
  const list = [task('a', { status: 'completed' }), task('b', { depends_on: ['a'] }), task('c', { depends_on: ['b'] })];

  test('is worked in the order of that format', async () => {
    expect(await nextIn(view(list), null, config)).toEqual({ next: 'b', remaining: 2, session: 1, failure: null });
    const going = state({ status: 'partial', next_prompt: 'continuation', current_feature: 'b', last_session: 3 });
    expect(await nextIn(view(list, going), null, config)).toMatchObject({ next: 'b', session: 4 });
  });

  test.each([
    ['b', { next: 'b', failure: null }],
    ['a', { failure: { reason: 'item-not-ready', params: { status: 'item-landed' } } }],
    ['c', { failure: { reason: 'item-not-ready', params: { status: 'item-blocked', blockers: 'b' } } }],
    ['d', { failure: { reason: 'item-unknown' } }],
  ])('starts %s only if it can start now', async (only, expected) => {
    expect(await nextIn(view(list), only, config)).toMatchObject(expected);
  });

  test('gives an item its own command as proof, and never a file', async () => {
    const { facts } = await itemIn(view([task('a', { validation: command })]), 'a', config);
    expect(facts).toEqual({
      id: 'a',
      title: 'Title of a',
      category: '',
      testFile: null,
      proof: { command: 'make check', timeoutMs: 90_000 },
      mayChangeTests: [],
      partial: null,
      last: null,
      failed: [],
      oversized: [],
      attempt: 1,
      maxAttempts: 3,
    });
  });
});
