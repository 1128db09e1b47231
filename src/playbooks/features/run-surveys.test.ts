// What the loop and preflight ask before any agent starts, on a world in memory.
import { describe, expect, test } from 'vitest';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import type { CommitFacts } from '../../model/world.ts';
import type { ItemFacts } from '../session/facts.ts';
import { runSurveys } from './run-surveys.ts';
import type { Feature } from './schema.ts';
import { emptySessionState, type SessionState } from '../session/session-state.ts';

const state = (more: Partial<SessionState>): Files => ({
  '.harness/session_state.json': JSON.stringify({ ...emptySessionState('then'), ...more }),
});
const world = (features: readonly Feature[], files: Files = {}) =>
  memoryWorld({ files: { 'features.json': fileOf(features), ...files } });
const where = { backlog: 'features.json', progress: 'claude-progress.txt', stateDir: '.harness' };

describe('items that wait for each other', () => {
  const next = async (list: Parameters<typeof world>[0]) => runSurveys.next(world(list), { ...where, only: null });
  const circle = [feature(20, { depends_on: [21] }), feature(21, { depends_on: [20] })];

  test('are named with the way round, so that somebody can say what becomes of them', async () => {
    expect(await next([feature(1), ...circle])).toMatchObject({
      next: null,
      failure: { reason: 'backlog-invalid' },
      circle: { items: ['20', '21'], paths: ['20 → 21 → 20'] },
    });
  });

  test('are no question where something else is wrong as well: whoever mends that mends both', async () => {
    expect(await next([...circle, feature(3, { depends_on: [99] })])).not.toHaveProperty('circle');
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
    return runSurveys.next(memoryWorld({ files, commits, changedBy }), { ...where, only: null });
  };

  test('is named once the item is left out, with what is next', async () => {
    expect(await ask([half('b', '2'), half('a', '1')], 'src.ts')).toMatchObject({ next: '2', leftover: '1' });
  });

  test.each([
    ['the item is worked on', [half('a', '1')], 'src.ts', {}],
    ['only a line in the log is left', [half('a', '1')], 'features.json', skipped],
    ['it was taken back', [commit('b', { 'Harness-Unwinds': '1' }), half('a', '1')], 'src.ts', skipped],
    ['it is of another', [half('a', '2')], 'src.ts', skipped],
  ])('is nobody’s business where %s', async (_, commits, changed, two) => {
    expect(await ask(commits, changed, two as typeof skipped)).not.toHaveProperty('leftover');
  });
});

describe('what is next', () => {
  const next = (w: ReturnType<typeof world>, only: string | null = null) => runSurveys.next(w, { ...where, only });
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

  test('is nothing where all has landed, and nothing with a remainder where all that is left waits', async () => {
    expect(await next(world([feature(1, { passes: true })]))).toMatchObject({
      next: null,
      remaining: 0,
      failure: null,
    });
    const wall = [feature(1, { skipped: { reason: 'no', unblock: false } }), feature(2, { depends_on: [1] })];
    expect(await next(world(wall))).toMatchObject({ next: null, remaining: 1, failure: null });
  });

  test('with a wish is the wish, if it is ready', async () => {
    const two = [feature(1), feature(2)];
    expect(await next(world(two), '2')).toMatchObject({ next: '2', failure: null });
  });

  test.each([
    ['9', { reason: 'item-unknown' }],
    ['1', { reason: 'item-not-ready', params: { status: 'item-landed' } }],
    ['3', { reason: 'item-not-ready', params: { status: 'item-blocked', blockers: '2' } }],
  ])('with the wish %s says why not', async (only, failure) => {
    expect(await next(world(three), only)).toMatchObject({ next: null, failure });
  });

  test('is a failure where the list is missing or broken, or the state is not ours to read', async () => {
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
  const ask = async (w: ReturnType<typeof world>, item = '1') =>
    (await runSurveys.item(w, { ...where, item, maxSteps: 7 })) as unknown as {
      facts: ItemFacts | null;
      failure: { reason: string } | null;
    };
  const record = (more: object) => ({ feature_id: 1, result: 'failed', reason: 'tests-failed', problems: [], ...more });
  const session = (n: number, value: unknown): Files => ({
    [`.harness/sessions/${n}/session.json`]: JSON.stringify(value),
  });

  test('never worked on is its title, its test and a first attempt', async () => {
    const { facts } = await ask(world([feature(1, { category: 'auth' })]));
    expect(facts).toEqual({
      id: '1',
      title: 'User can do thing 1',
      category: 'auth',
      testFile: 'tests/test_1.py',
      mayChangeTests: false,
      partial: null,
      last: null,
      failed: [],
      oversized: [],
      attempt: 1,
    });
  });

  test.each([
    ['partial', 'timeout', { partial: { session: 2, reason: 'timeout' }, failed: [] }],
    ['partial', 'context_limit', { partial: { session: 2, reason: 'context_limit' } }],
    ['partial', null, { partial: { session: 2, reason: 'complete' } }],
    ['failed', 'error', { partial: null, failed: [{ code: 'tests-failed', params: {} }] }],
    ['complete', null, { partial: null, failed: [] }],
  ] as const)('whose last session was %s (%s) says what to go on from', async (status, reason, expected) => {
    const files = {
      ...state({ last_session: 2, status, termination_reason: reason, current_feature: 1, stuck_count: 2 }),
      ...session(2, record({ problems: [{ code: 'tests-failed', params: {} }] })),
    };
    const { facts } = await ask(world([feature(1)], files));
    expect(facts).toMatchObject({ ...expected, attempt: 3, last: { session: 2, status, reason: 'tests-failed' } });
  });

  test('is not blamed for what another feature left behind', async () => {
    const files = state({ last_session: 2, status: 'partial', current_feature: 1, stuck_count: 2 });
    expect((await ask(world([feature(1), feature(2)], files), '2')).facts).toMatchObject({
      partial: null,
      failed: [],
      attempt: 1,
    });
  });

  test('has nothing to go on with where its unfinished work was taken back', async () => {
    const commit = (id: string, name: string): CommitFacts => ({ id, subject: '', at: '', trailers: { [name]: '1' } });
    const files = {
      'features.json': fileOf([feature(1)]),
      ...state({ last_session: 2, status: 'partial', current_feature: 1 }),
    };
    const commits = [commit('b', 'Harness-Unwinds'), commit('a', 'Harness-Provisional')];
    expect((await ask(memoryWorld({ files, commits }))).facts?.partial).toBeNull();
    expect((await ask(memoryWorld({ files, commits: commits.slice(1) }))).facts?.partial).not.toBeNull();
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
  ])('with a record that %s is told without what cannot be read', async (_what, text) => {
    const files = {
      ...state({ last_session: 2, status: 'failed', current_feature: 1 }),
      '.harness/sessions/2/session.json': text,
    };
    const { facts } = await ask(world([feature(1)], files));
    for (const p of facts?.failed ?? []) expect(p).toEqual({ code: 'tests-failed', params: {} });
    expect(facts?.last).toMatchObject({ session: 2, status: 'failed' });
  });

  test('that is too large by what can be counted says so, unless a person accepted it', async () => {
    const steps = Array.from({ length: 9 }, (_, n) => `step ${n}`);
    const large = feature(1, { verification_steps: steps });
    expect((await ask(world([large]))).facts?.oversized).toMatchObject([{ flag: 'too-many-steps' }]);
    expect((await ask(world([{ ...large, size_accepted: true }]))).facts?.oversized).toEqual([]);
    expect((await ask(world([feature(1, { description: 'User can manage orders' })]))).facts?.oversized).toEqual([]);
  });

  test('that a person has a part in proving says what they look at; one that is not there is a failure', async () => {
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

describe('what broke', () => {
  test('broken tests are owned by the passing features with that test file', async () => {
    const list = [
      feature(1, { passes: true }),
      feature(2, { passes: true, depends_on: [1] }),
      feature(3, { depends_on: [2] }),
      feature(4, { test_file: 'tests/test_1.py' }),
    ];
    const tests = ['pytest|tests/test_1.py||a', 'pytest|tests/test_1.py||b', 'pytest|tests/other.py||c'];
    expect(await runSurveys.owners(world(list), { backlog: 'features.json', tests })).toEqual({
      owners: [{ id: '1', testFile: 'tests/test_1.py', dependents: ['2', '3'] }],
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
    const { owners } = (await runSurveys.owners(world(list), { backlog: 'features.json', tests: [id] })) as {
      owners: unknown[];
    };
    expect(owners).toHaveLength(isOwner ? 1 : 0);
  });
});
