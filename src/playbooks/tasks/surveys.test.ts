// Facts that the loop and the tasks machine read, from a repository in memory.
import { describe, expect, test } from 'vitest';
import { feature, fileOf } from '../../../test/support/features.ts';
import { memoryWorld, type Files } from '../../../test/support/memory-world.ts';
import { contextOf, tasksConfig } from '../../../test/support/read-context.ts';
import type { CommitFacts } from '../../model/repository-view.ts';
import { emptySessionState, type SessionStateFile } from '../session/session-state.ts';
import { taskFacts } from './facts.ts';
import { files as filesSurvey, interruptedTask, item, next, reportedSteps } from './surveys.ts';

const state = (more: Partial<SessionStateFile>): Files => ({
  '.harness/session_state.json': JSON.stringify({ ...emptySessionState('then'), ...more }),
});
const task = (id: string, more: object = {}) => ({ id, title: `Title of ${id}`, status: 'pending', ...more });
const listOf = (tasks: readonly object[], count = 3): Files => ({
  'harness-tasks.json': JSON.stringify({ tasks, session_count: count }),
});
const read = (files: Files, commits: readonly CommitFacts[] = [], more: object = {}) =>
  contextOf(memoryWorld({ files, commits, ...more }), tasksConfig());

describe('what is next', () => {
  const ask = (files: Files, only: string | null = null) => next.read(read(files), { only, taken: [] });
  const three = [task('a', { status: 'completed' }), task('b'), task('c', { depends_on: ['b'] })];

  test('is the first task that can start, in the session after the last', async () => {
    expect(await ask({ ...listOf(three), ...state({ last_session: 7 }) })).toEqual({
      next: 'b',
      remaining: 2,
      session: 8,
      failure: null,
    });
  });

  test.each([
    ['completed', { status: 'completed' }, true],
    ['skipped', { skipped: { reason: 'no', at: 'then', unblock: false } }, true],
    ['under way', { status: 'in_progress' }, false],
  ])('names work in progress that is not continued: the task is %s', async (_, more, isOver) => {
    const wip = { item: 'a', ref: 'refs/harness/wip/a', commit: 'kept', session: 2, subject: 'WIP: ', at: '' };
    const found = await next.read(read(listOf([task('a', more), task('b')]), [], { wips: [wip] }), {
      only: null,
      taken: [],
    });
    expect(found.leftover).toBe(isOver ? 'a' : undefined);
  });

  test('is the task under way before any other, and of several that of the last session', async () => {
    const going = [task('a'), task('b', { status: 'in_progress' }), task('c', { status: 'in_progress' })];
    expect(await ask(listOf(going))).toMatchObject({ next: 'b' });
    expect(await ask({ ...listOf(going), ...state({ current_feature: 'c' }) })).toMatchObject({ next: 'c' });
  });

  test('is what failed only after everything new, the oldest failure by the log first', async () => {
    const failed = (id: string) => task(id, { status: 'failed', attempts: 1 });
    const log = [
      '[2025-07-01T10:00:00Z] [SESSION-1] ERROR [b] [TEST_FAIL] x',
      '[2025-07-01T11:00:00Z] [SESSION-1] ERROR [a] [TEST_FAIL] x',
    ].join('\n');
    const files = { ...listOf([failed('a'), failed('b')]), 'harness-progress.txt': log };
    expect(await ask(files)).toMatchObject({ next: 'b' });
    expect(await ask({ ...files, ...listOf([failed('a'), task('c')]) })).toMatchObject({ next: 'c' });
  });

  test('is nothing where everything is done, and a failure where what is left was given up', async () => {
    expect(await ask(listOf([three[0] ?? {}]))).toMatchObject({ next: null, remaining: 0, failure: null });
    const lost = Array.from({ length: 12 }, (_, n) => task(`t${n}`, { status: 'failed', attempts: 3 }));
    expect(await ask(listOf(lost))).toMatchObject({
      next: null,
      failure: { reason: 'items-given-up', params: { count: 12, items: expect.stringContaining('… 2 more') } },
    });
  });

  test.each([
    ['b', { next: 'b', failure: null }],
    ['a', { failure: { reason: 'item-not-ready', params: { status: 'item-landed' } } }],
    ['c', { failure: { reason: 'item-not-ready', params: { status: 'item-blocked', blockers: 'b' } } }],
    ['d', { failure: { reason: 'item-unknown' } }],
  ])('is the task %s that was asked for, or why not', async (only, expected) => {
    expect(await ask(listOf(three), only)).toMatchObject(expected);
  });

  test('is a failure where the list or the state cannot be read', async () => {
    expect(await ask({})).toMatchObject({ next: null, failure: { reason: 'backlog-missing' } });
    expect(await ask({ 'harness-tasks.json': '{' })).toMatchObject({ failure: { reason: 'backlog-invalid' } });
    const newer = { '.harness/session_state.json': JSON.stringify({ ...emptySessionState(''), schema_version: 9 }) };
    expect(await ask({ ...listOf(three), ...newer })).toMatchObject({ failure: { reason: 'state-newer' } });
  });

  test('in a list of another format is by the ledger over it', async () => {
    const config = tasksConfig({}, 'features');
    const files = { 'features.json': fileOf([feature(1, { passes: true }), feature(2), feature(3)]) };
    const ledger = { tasks: [{ id: '3', title: 'Thing 3', status: 'in_progress' }] };
    const context = (more: Files = {}) => contextOf(memoryWorld({ files: { ...files, ...more } }), config);
    expect(await next.read(context(), { only: null, taken: [] })).toMatchObject({ next: '2', remaining: 2 });
    const known = context({ '.harness/tasks/harness-tasks.json': JSON.stringify(ledger) });
    expect(await next.read(known, { only: null, taken: [] })).toMatchObject({ next: '3' });
  });
});

describe('the task of a session', () => {
  test('never tried is its title, its command and a first attempt', async () => {
    const validation = { command: 'make check', timeout_seconds: 90 };
    const { facts } = await item.read(read(listOf([task('a', { validation })])), { item: 'a' });
    expect(facts).toEqual({
      id: 'a',
      title: 'Title of a',
      category: 'task',
      testFile: null,
      proof: { command: 'make check', timeoutMs: 90_000 },
      mayChangeTests: [],
      partial: null,
      last: null,
      failed: [],
      oversized: [],
      attempt: 1,
      task: {
        status: 'pending',
        attempts: 0,
        maxAttempts: 3,
        errorLog: [],
        checkpoints: [],
        base: null,
        cleanup: null,
        run: 3,
        isHealthLogged: false,
      },
    });
    expect(taskFacts.parse(facts)).toEqual(facts);
  });

  test('has what the list knows of its attempts, and what the last session left', async () => {
    const tried = task('a', {
      status: 'in_progress',
      attempts: 1,
      max_attempts: 5,
      error_log: ['[TIMEOUT] x'],
      started_at_commit: 'c0ffee0',
      on_failure: { cleanup: 'make clean' },
      checkpoints: [{ step: 1, total: 2, description: 'routes', timestamp: 'then' }],
    });
    const files = {
      ...listOf([tried]),
      ...state({ last_session: 2, status: 'partial', current_feature: 'a', termination_reason: 'timeout' }),
    };
    const { facts } = await item.read(read(files), { item: 'a' });
    expect(facts).toMatchObject({
      attempt: 2,
      partial: { session: 2, reason: 'timeout', base: null },
      task: {
        status: 'in_progress',
        attempts: 1,
        maxAttempts: 5,
        errorLog: ['[TIMEOUT] x'],
        base: 'c0ffee0',
        cleanup: 'make clean',
        checkpoints: [{ step: 1 }],
      },
    });
    expect(facts).not.toHaveProperty('proof');
  });

  test('of a list of another format is proved by the test of its item', async () => {
    const view = memoryWorld({ files: { 'features.json': fileOf([feature(1)]) } });
    const { facts } = await item.read(contextOf(view, tasksConfig({}, 'features')), { item: '1' });
    expect(facts).toMatchObject({ id: '1', proof: { command: 'pytest tests/test_1.py -v' }, testFile: null });
  });

  test('that is not in the list is unknown', async () => {
    expect(await item.read(read(listOf([])), { item: 'a' })).toMatchObject({
      facts: null,
      failure: { reason: 'item-unknown', params: { item: 'a' } },
    });
  });
});

describe('an interrupted task', () => {
  const commit = (id: string, subject: string, more: CommitFacts['trailers'] = {}): CommitFacts => ({
    id,
    subject,
    at: '',
    trailers: more,
  });
  const base = commit('c0ffee0123', 'before');
  const ask = (commits: readonly CommitFacts[], more: object = {}, from: string | null = 'c0ffee0') =>
    interruptedTask.read(read(listOf([task('task-1')], 5), commits, more), { item: 'task-1', base: from, session: 4 });

  test.each([
    ['names it', commit('b', 'feat: task-1 is done')],
    ['names it at the end of a sentence', commit('b', 'done with task-1.')],
    ['carries its trailer', commit('b', 'x', { 'Harness-Item': 'task-1' })],
  ])('has a commit that %s', async (_, own) => {
    expect(await ask([own, base])).toMatchObject({ isBaseThere: true, commits: true, isMixed: false });
  });

  test('has no commits of others, nor those before it started', async () => {
    const others = [commit('c', 'feat: task-12'), commit('b', 'chore')];
    expect(await ask([...others, base, commit('a', 'task-1')])).toMatchObject({
      commits: false,
      isMixed: true,
    });
    expect(await ask([commit('c', 'task-1'), ...others, base])).toMatchObject({
      commits: true,
      isMixed: true,
    });
  });

  test('has no way back where the commit that it started from is gone or unknown', async () => {
    expect(await ask([base], {}, 'dead0000')).toMatchObject({ isBaseThere: false });
    expect(await ask([base], {}, null)).toMatchObject({ isBaseThere: false, run: 5 });
  });

  test('has uncommitted changes, and the steps that its session reported', async () => {
    const note = { step: 1, total: 2, description: 'routes', at: 'then', tree: 't' };
    const files = {
      ...listOf([task('task-1')], 5),
      '.harness/sessions/4/notes.jsonl': `${JSON.stringify(note)}\n{"ste`,
    };
    const step = { step: 1, total: 2, description: 'routes', timestamp: 'then', tree: 't' };
    const context = read(files, [base], { dirty: ['a.ts'] });
    expect(await interruptedTask.read(context, { item: 'task-1', base: null, session: 4 })).toMatchObject({
      uncommitted: true,
      reported: [step],
    });
    expect(await reportedSteps.read(context, { session: 4 })).toEqual({ reported: [step] });
    expect(await reportedSteps.read(context, { session: 5 })).toEqual({ reported: [] });
  });
});

test('the configuration and the list must be there; the log and the scripts need not', async () => {
  const ask = (files: Files) => filesSurvey.read(read(files), {});
  expect(await ask({ ...listOf([]), '.harness.yaml': '' })).toEqual({ missing: [], notExecutable: [] });
  expect(await ask({})).toEqual({ missing: ['.harness.yaml', 'harness-tasks.json'], notExecutable: [] });
});
