// What users keep when they install this version over the landed one: the program continues the state that the landed version
// left (test/fixtures/landed), whichever way it places its machines. Nothing here depends on tokens, turns or journals.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  doubtful,
  FINISH_ITEMS,
  FINISH_TASKS,
  FINISH_WORKFLOW,
  session,
  type Session,
  work,
} from '../support/landed-project.ts';
import { filesBelow, isWholeJournal, LANDED_ROOT } from '../support/landed-relocate.ts';
import { type Landed, LANDED_NAMES, restoreLanded } from '../support/landed-state.ts';
import type { Ran } from '../support/repo.ts';
import { expectExit } from './workshop.ts';

type Gate = { readonly id: string; readonly subject: string; readonly item: string };
type Status = {
  readonly session: number;
  readonly cost: { readonly usd: number };
  readonly [field: string]: unknown;
};

const statusOf = async (repo: Landed): Promise<Status> => (await repo.harness('status', '--json')).json() as Status;
const openGates = async (repo: Landed): Promise<readonly Gate[]> =>
  ((await repo.harness('gates', '--json')).json() as { gates: readonly Gate[] }).gates;
const run = (repo: Landed): Promise<Ran> => repo.harness('run', '--until-done', '--no-input', '--json');

/** Restores a fixture, and checks what `status` shows before anything runs. */
async function restored(
  name: string,
  sessions: readonly Session[],
  shows: object,
): Promise<Landed & { readonly before: Status }> {
  const repo = restoreLanded(name);
  repo.play(sessions);
  const before = await statusOf(repo);
  expect(before).toMatchObject({ run: null, lanes: [], ...shows });
  return { ...repo, before };
}

/** Each item landed in one commit, all evidence verifies, figures did not go back, and nothing is left behind. */
async function expectDone(repo: Landed & { readonly before: Status }, landed: readonly string[]): Promise<void> {
  expect(repo.landings()).toEqual(landed);
  const [gates, evidence, after] = await Promise.all([
    openGates(repo),
    repo.harness('evidence', 'verify', '--all', '--json'),
    statusOf(repo),
  ]);
  expect(gates).toEqual([]);
  expectExit(evidence, 0);
  expect(after).toMatchObject({
    run: null,
    lanes: [],
    interrupted: [],
    waiting: [],
    items: { pending: 0, ready: 0, active: 0 },
  });
  expect(after.session).toBeGreaterThanOrEqual(repo.before.session);
  expect(after.cost.usd).toBeGreaterThanOrEqual(repo.before.cost.usd);
  expect([repo.git('status', '--porcelain'), repo.leftBehind()]).toEqual(['', []]);
}

/** The run ended with this exit because exactly one question, of this subject, is open. */
async function expectAsked(repo: Landed, ran: Ran, exit: number, subject: string): Promise<Gate> {
  expectExit(ran, exit);
  const gates = await openGates(repo);
  expect(gates).toMatchObject([{ subject }]);
  const [gate] = gates;
  if (gate === undefined) throw new Error('no gate is open');
  return gate;
}
async function answer(repo: Landed, gate: Gate, option: string): Promise<void> {
  expectExit(await repo.harness('answer', gate.id, option), 0);
}

test.each(LANDED_NAMES)('%s is restored whole, with the folder of the test in place of the recorded one', (name) => {
  const repo = restoreLanded(name);
  const texts = filesBelow(repo.top)
    .filter((path) => !path.includes('/objects/'))
    .map((path) => readFileSync(path, 'latin1'));
  expect(texts.filter((text) => text.includes(LANDED_ROOT))).toEqual([]);
  const journals = filesBelow(repo.privateDir).filter((path) =>
    /\/(?:loop\.jsonl|(?:items|procedures)\/[^/]+)$/.test(path),
  );
  expect(journals.filter((path) => !isWholeJournal(readFileSync(path, 'latin1')))).toEqual([]);
  expect(journals.length).toBeGreaterThan(1);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
});

describe('features', () => {
  test('killed in the middle of a turn: the half-written work is kept as an attempt, and the item lands once', async () => {
    const repo = await restored('mid-turn', FINISH_ITEMS, { interrupted: [{ item: '1' }], items: { landed: 0 } });
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1']);
    expect(repo.hasAttempt('1', 'src/bench', 'half a bench\n')).toBe(true);
    expect(repo.hasAttempt('1', 'notes.txt', 'half a thought\n')).toBe(true);
    expect([repo.read('src/bench'), existsSync(join(repo.root, 'notes.txt'))]).toEqual(['bench\n', false]);
  });

  test('killed in the middle of a turn that touched protected files: they are what they were', async () => {
    const repo = restoreLanded('mid-turn');
    const config = repo.git('show', 'HEAD:.harness.yaml');
    repo.write('.harness.yaml', 'playbook: tasks\n');
    repo.write('.harness/session_state.json', '{');
    repo.play(FINISH_ITEMS);
    const ran = await run(repo);
    expect([0, 9]).toContain(ran.code);
    expect(repo.read('.harness.yaml').trimEnd()).toBe(config);
    expect([await statusOf(repo), repo.leftBehind()]).toMatchObject([{ interrupted: [] }, []]);
  });

  test.each([
    ['before the branch has the accepting commit', 'mid-landing', { landed: 0 }],
    ['before the accepting commit is recorded', 'landed-unrecorded', { landed: 1 }],
  ])('killed %s: the item lands once, with its evidence', async (_, name, items) => {
    const repo = await restored(name, FINISH_ITEMS, { interrupted: [{ item: '1' }], items });
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1']);
    expect(repo.git('show', 'HEAD:src/bench')).toBe('bench');
    expect(repo.git('log', '--format=%s').split('\n')).toEqual(['feat(workshop): #1 There is a bench', 'start']);
  });

  test('waiting for a decision on doubtful proof: it is asked again, and an answer to an earlier question does not decide', async () => {
    const repo = await restored('at-gate', [session({ item: 2 }, doubtful(2))], {
      gates: 1,
      items: { landed: 1, waiting: 1 },
    });
    const gate = await expectAsked(repo, await run(repo), 3, 'doubtful-proof');
    expect([gate.item, repo.landings()]).toEqual(['2', ['1']]);
    await answer(repo, gate, 'land');
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1', '2']);
  });

  test('waiting for a decision on doubtful proof, rejected before this version runs: it does not land as it was', async () => {
    const repo = await restored('at-gate', [session({ item: 2 }, doubtful(2))], { gates: 1 });
    for (const gate of await openGates(repo)) await answer(repo, gate, 'reject');
    await expectAsked(repo, await run(repo), 3, 'doubtful-proof');
    expect(repo.landings()).toEqual(['1']);
  });

  test('waiting for a decision about a stuck item: no session begins before the answer', async () => {
    const repo = await restored('at-gate-before', FINISH_ITEMS, { gates: 1, items: { waiting: 1 } });
    const gate = await expectAsked(repo, await run(repo), 3, 'feature-stuck');
    expect([gate.item, repo.landings(), existsSync(join(repo.root, '.harness/sessions/2'))]).toEqual(['1', [], false]);
    await answer(repo, gate, 'retry');
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1']);
  });

  test('with provisional commits: the next session continues from them, and they become one landing', async () => {
    const rest = [{ append: { path: 'src/saw', text: 'saw\n' } }, ...work(2).slice(1)];
    const shows = { interrupted: [], items: { landed: 1 }, next: { item: '2', prompt: 'continuation' } };
    const repo = await restored('wip', [session({ item: 2, role: 'continuation' }, rest)], shows);
    const first = repo.git('rev-parse', ':/#1 There is a bench');
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1', '2']);
    expect(repo.git('show', 'HEAD:src/saw')).toBe('half a saw\nanother half\nsaw');
    expect(repo.git('rev-parse', 'HEAD^')).toBe(first);
  });

  test('killed while the loop waits for a provider: the work before is continued', async () => {
    const rest = [{ append: { path: 'src/bench', text: 'bench\n' } }, ...work(1).slice(1)];
    const repo = await restored('backoff', [session({ item: 1 }, rest)], {
      next: { item: '1', prompt: 'continuation' },
    });
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1']);
    expect(repo.git('show', 'HEAD:src/bench')).toBe('half a bench\nbench');
  });

  test('killed while a session waits for a provider: the half-written work is not lost', async () => {
    const rest = [{ append: { path: 'src/bench', text: 'bench\n' } }, ...work(1).slice(1)];
    // The session continues, its turn is done again, or another session begins.
    const agents = [session({ item: 1, role: 'coding' }, [], rest), session({ item: 1 }, rest)];
    const repo = await restored('backoff-in-session', agents, { interrupted: [{ item: '1' }] });
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1']);
    const isContinued = repo.git('show', 'HEAD:src/bench') === 'half a bench\nbench';
    expect(isContinued || repo.hasAttempt('1', 'src/bench', 'half a bench\n')).toBe(true);
  });

  test('finished: everything verifies, the attempt is kept, and the next item extends the chain', async () => {
    const next = session({ item: 4 }, work(4));
    const repo = await restored('finished', [next], {
      session: 4,
      items: { total: 3, landed: 3 },
      cost: { usd: 0.04 },
    });
    expectExit(await repo.harness('evidence', 'verify', '--all', '--json'), 0);
    expect((await repo.harness('attempts', '2', '--json')).json()).toMatchObject({
      attempts: [{ item: '2', number: 1, session: 2 }],
    });
    expect(repo.hasAttempt('2', 'src/saw', 'half a saw\n')).toBe(true);
    expectExit(await run(repo), 0);
    expect(repo.landings()).toEqual(['1', '2', '3']);
    expectExit(
      await repo.harness('add', 'There is a lamp', '--verify', 'tests/lamp.test', '--category', 'workshop'),
      0,
    );
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1', '2', '3', '4']);
    expect(await statusOf(repo)).toMatchObject({ session: 5, cost: { usd: 0.05 } });
  });

  test('killed with changes queued: each is applied once', async () => {
    const repo = await restored('queued-change', FINISH_ITEMS, { interrupted: [{ item: '1' }] });
    expectExit(await run(repo), 0);
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1']);
    expect(repo.features()).toMatchObject([
      { id: 1, passes: true },
      { id: 3, passes: false, skipped: { reason: 'no wood' } },
      { id: 4, passes: false, skipped: { reason: 'no power' } },
    ]);
    const skips = repo
      .git('log', '--format=%s')
      .split('\n')
      .filter((subject) => subject.includes('is skipped'));
    expect(skips.toSorted()).toEqual(['chore(harness): #3 is skipped', 'chore(harness): #4 is skipped']);
    expect(readdirSync(join(repo.privateDir, 'inbox'))).toEqual([]);
    expect(repo.hasAttempt('1', 'src/bench', 'half a bench\n')).toBe(true);
  });
});

const listOf = (repo: Landed, path: string): { readonly tasks: readonly { readonly [field: string]: unknown }[] } =>
  JSON.parse(repo.read(path)) as never;

describe('tasks', () => {
  test('killed in the middle of a task: what was done stays done, the log only grows, and the task lands once', async () => {
    const repo = await restored('tasks-under-way', FINISH_TASKS, {
      interrupted: [{ item: 'task-002' }],
      items: { landed: 1 },
    });
    const [list, log] = [listOf(repo, 'harness-tasks.json'), repo.read('harness-progress.txt')];
    expectExit(await run(repo), 0);
    await expectDone(repo, ['task-001', 'task-002']);
    const { tasks } = listOf(repo, 'harness-tasks.json');
    expect(tasks).toMatchObject([list.tasks[0] ?? {}, { id: 'task-002', status: 'completed' }]);
    expect(repo.read('harness-progress.txt').startsWith(log)).toBe(true);
    expect(JSON.stringify(tasks) + repo.read('harness-progress.txt')).toContain('made half of it');
    expect(repo.hasAttempt('task-002', 'task-002.txt', 'half\n')).toBe(true);
  });

  test('waiting for a decision about a task without proof: it is asked, and lands once', async () => {
    const repo = await restored('tasks-at-gate', FINISH_TASKS, { gates: 1, items: { landed: 1, waiting: 1 } });
    const gate = await expectAsked(repo, await run(repo), 3, 'unproved');
    expect([gate.item, repo.landings()]).toEqual(['task-002', ['task-001']]);
    await answer(repo, gate, 'land');
    expectExit(await run(repo), 0);
    await expectDone(repo, ['task-001', 'task-002']);
    expect(listOf(repo, 'harness-tasks.json').tasks).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
  });

  test('over features, killed in the middle of one: list and ledger agree in the end', async () => {
    const unclaimed = session({ item: 2 }, work(2).slice(0, -1));
    const repo = await restored('tasks-over-features', [unclaimed], {
      interrupted: [{ item: '2' }],
      items: { landed: 1 },
    });
    const ledger = '.harness/tasks/harness-tasks.json';
    const [first] = listOf(repo, ledger).tasks;
    expectExit(await run(repo), 0);
    await expectDone(repo, ['1', '2']);
    expect(repo.features()).toMatchObject([
      { id: 1, passes: true },
      { id: 2, passes: true },
    ]);
    expect(listOf(repo, ledger).tasks).toMatchObject([first ?? {}, { id: '2', status: 'completed' }]);
    expect(repo.hasAttempt('2', 'src/saw', 'half a saw\n')).toBe(true);
  });

  test('worked by the features machine, killed in the middle of one: it lands once', async () => {
    const repo = await restored('features-over-tasks', FINISH_TASKS, {
      interrupted: [{ item: 'task-002' }],
      items: { landed: 1 },
    });
    expectExit(await run(repo), 0);
    await expectDone(repo, ['task-001', 'task-002']);
    expect(listOf(repo, 'harness-tasks.json').tasks).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
    expect(repo.hasAttempt('task-002', 'task-002.txt', 'half\n')).toBe(true);
  });
});

describe('workflow', () => {
  const ITEM = 'sort-the-list';
  test('killed while two planners work side by side: half of a proposal does not count', async () => {
    const repo = await restored('workflow-mid-group', FINISH_WORKFLOW, {
      interrupted: [{ item: ITEM }],
      workflow: { phase: 'planning' },
    });
    const spec = await expectAsked(repo, await run(repo), 8, 'workflow-spec');
    expect(repo.read('.harness/planner/proposal_architect.md')).toBe('PROPOSAL-OF-THE-ARCHITECT\n');
    expect(repo.read('.harness/planner/proposal_senior_developer.md')).toBe('PROPOSAL-OF-THE-SENIOR\n');
    expect([spec.item, repo.landings(), repo.leftBehind()]).toEqual([ITEM, [], []]);
  });

  test('waiting for a decision about the specification: it stays and is asked about, and the task lands once', async () => {
    const repo = await restored('workflow-at-spec-gate', FINISH_WORKFLOW, {
      gates: 1,
      workflow: { phase: 'plan_done' },
    });
    const path = 'docs/harness/sort-the-list/spec.md';
    const text = repo.read(path);
    const spec = await expectAsked(repo, await run(repo), 8, 'workflow-spec');
    expect(repo.read(path)).toBe(text);
    await answer(repo, spec, 'proceed');
    const commit = await expectAsked(repo, await run(repo), 8, 'workflow-commit');
    expect(repo.landings()).toEqual([]);
    await answer(repo, commit, 'code-only');
    expectExit(await run(repo), 0);
    await expectDone(repo, [ITEM]);
    expect(repo.git('log', '-1', '--format=%s')).toBe('feat: Sort the list');
    expect(repo.git('show', 'HEAD:src/list.txt')).toBe('sorted');
  });

  test('killed without a git repository of the user: the work is finished, and none appears', async () => {
    const repo = await restored('workflow-no-git', FINISH_WORKFLOW, {
      interrupted: [{ item: ITEM }],
      workflow: { phase: 'generating' },
    });
    const ran = await run(repo);
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: [ITEM] });
    expect([repo.read('src/list.txt'), existsSync(join(repo.root, '.git'))]).toEqual(['sorted\n', false]);
    expect(repo.read('docs/harness/sort-the-list/spec.md')).toContain('Sort the list.');
    expect(repo.hasAttempt(ITEM, 'src/list.txt', 'half sorted\n')).toBe(true);
    expect([await openGates(repo), repo.leftBehind()]).toEqual([[], []]);
    expect((await statusOf(repo)).cost.usd).toBeGreaterThanOrEqual(repo.before.cost.usd);
  });
});
