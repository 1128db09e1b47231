// Against an oracle that tries everything: reachability by relaxation until nothing changes.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dependencyFaults, settled } from './select.ts';
import type { Task, TaskStatus } from './schema.ts';

const IDS = ['task-001', 'task-002', 'task-003', 'task-004', 'task-005', 'task-006'];
const task = (id: string, more: Partial<Task> = {}): Task => ({ id, title: id, status: 'pending', ...more });
const backlogs = fc
  .record({
    size: fc.integer({ min: 1, max: 6 }),
    seeds: fc.array(
      fc.record({
        status: fc.constantFrom<TaskStatus>('pending', 'pending', 'pending', 'completed', 'failed', 'in_progress'),
        depends_on: fc.uniqueArray(fc.constantFrom(...IDS, 'task-900'), { maxLength: 3 }),
        attempts: fc.integer({ min: 0, max: 3 }),
        error_log: fc.subarray(['[TEST_FAIL] 1 test fails', '[DEPENDENCY] Blocked by failed task-900']),
      }),
      { minLength: 6, maxLength: 6 },
    ),
  })
  .map(({ size, seeds }) => IDS.slice(0, size).map((id, at) => task(id, seeds[at])));

const ids = (tasks: readonly Task[]) => new Set(tasks.map(({ id }) => id));

function oracle(tasks: readonly Task[]) {
  const of = (id: string): Task | undefined => tasks.find((one) => one.id === id);
  const open = tasks.filter(({ status }) => status !== 'completed');
  const reach = new Map(open.map(({ id }) => [id, new Set<string>()]));
  for (let grown = true; grown;) {
    grown = false;
    for (const { id, depends_on: on } of open)
      for (const to of on ?? [])
        for (const one of reach.has(to) ? [to, ...(reach.get(to) ?? [])] : [])
          if (!reach.get(id)?.has(one)) {
            reach.get(id)?.add(one);
            grown = true;
          }
  }
  const circular = open.filter(({ id }) => reach.get(id)?.has(id)).map(({ id }) => id);
  const missing = open
    .filter(({ depends_on: on }) => (on ?? []).some((id) => of(id) === undefined))
    .map(({ id }) => id);
  const givenUp = open.filter((one) => one.status === 'failed' && (one.attempts ?? 0) >= 3).map(({ id }) => id);
  const lost = new Set([...circular, ...missing, ...givenUp]);
  for (let grown = true; grown;) {
    const news = open.filter(({ id, depends_on: on }) => !lost.has(id) && (on ?? []).some((one) => lost.has(one)));
    for (const { id } of news) lost.add(id);
    grown = news.length > 0;
  }
  return { circular, lost, givenUp };
}

describe('what keeps a task from ever beginning', () => {
  test('is what trying everything finds', () => {
    fc.assert(
      fc.property(backlogs, (tasks) => {
        const { circular, lost, givenUp } = oracle(tasks);
        const faults = dependencyFaults(tasks);
        // One that was tried as often as it may be says so itself.
        const waits = (id: string) =>
          tasks.find((one) => one.id === id)?.depends_on?.some((on) => lost.has(on) || !ids(tasks).has(on));
        const kept = [...lost].filter((id) => !givenUp.includes(id) || waits(id) === true);
        expect(new Set(faults.keys())).toEqual(new Set(kept));
        const named = [...faults].filter(([, line]) => line.includes('Circular')).map(([id]) => id);
        expect(named.sort()).toEqual([...circular].sort());
      }),
      { numRuns: 2_000 },
    );
  });

  test('a cycle is named by a path that exists, from the task back to itself', () => {
    fc.assert(
      fc.property(backlogs, (tasks) => {
        for (const [id, line] of dependencyFaults(tasks)) {
          const [, way] = /Circular dependency detected: (.*)$/.exec(line) ?? [];
          if (way === undefined) continue;
          const path = way.split(' -> ');
          expect([path[0], path.at(-1)]).toEqual([id, id]);
          expect(new Set(path).size).toBe(path.length - 1);
          for (const [at, to] of path.slice(1).entries())
            expect(tasks.find((one) => one.id === path[at])?.depends_on).toContain(to);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('reads as in the reference', () => {
    const tasks = [
      task('task-001', { depends_on: ['task-002'] }),
      task('task-002', { depends_on: ['task-001'] }),
      task('task-003', { depends_on: ['task-003'] }),
      task('task-004', { depends_on: ['task-003'] }),
      task('task-005', { depends_on: ['task-004'] }),
    ];
    expect([...dependencyFaults(tasks).values()]).toEqual([
      '[DEPENDENCY] Circular dependency detected: task-001 -> task-002 -> task-001',
      '[DEPENDENCY] Circular dependency detected: task-002 -> task-001 -> task-002',
      '[DEPENDENCY] Circular dependency detected: task-003 -> task-003',
      '[DEPENDENCY] Blocked by failed task-003',
      '[DEPENDENCY] Blocked by failed task-004',
    ]);
  });

  test('of a hundred thousand tasks in one chain, and in one knot, is found without a deep stack', () => {
    const count = 100_000;
    const id = (n: number): string => `task-${n}`;
    const chain = Array.from({ length: count }, (_, n) =>
      task(id(n), { depends_on: n === 0 ? ['gone'] : [id(n - 1)] }),
    );
    expect(dependencyFaults(chain).size).toBe(count);
    const knot = Array.from({ length: count }, (_, n) => task(id(n), { depends_on: [id((n + 1) % count)] }));
    expect(dependencyFaults(knot).size).toBe(count);
  });
});

describe('what the dependencies make of the tasks', () => {
  test('said twice is said once', () => {
    fc.assert(
      fc.property(backlogs, (tasks) => {
        const once = settled(tasks);
        expect(settled(once)).toEqual(once);
      }),
      { numRuns: 1_000 },
    );
  });

  test('goes with its cause, and leaves every other line of the log', () => {
    const blocked = settled([
      task('task-001', { status: 'failed', attempts: 3, error_log: ['[TEST_FAIL] x'] }),
      task('task-002', { depends_on: ['task-001'], attempts: 1, error_log: ['[TIMEOUT] y'], own: 'kept' }),
      task('task-003', { depends_on: ['task-002'] }),
    ]);
    expect(blocked.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    const [first, ...others] = blocked;
    const fixed = settled([{ ...(first as Task), status: 'completed' }, ...others]);
    expect(fixed.slice(1)).toEqual([
      task('task-002', {
        status: 'failed',
        depends_on: ['task-001'],
        attempts: 1,
        error_log: ['[TIMEOUT] y'],
        own: 'kept',
      }),
      task('task-003', { depends_on: ['task-002'], error_log: [] }),
    ]);
  });
});
