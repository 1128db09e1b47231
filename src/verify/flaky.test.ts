// The rule for flaky tests against a model of outcomes, and the list of those in quarantine.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TestStatus } from '../model/report.ts';
import { capOf, rule, seenIn } from './flaky.ts';
import { heldAt, quarantineText, readQuarantine, withFlaky } from './quarantine.ts';

/** What a test does in one run; absent: it is not in the report. */
type Outcome = TestStatus | 'absent';
const outcome = fc.constantFrom<Outcome>('passed', 'failed', 'skipped', 'absent');
const runsOf = (n: number) => fc.array(outcome, { minLength: n, maxLength: n });
const RERUNS = 3;

/** A world: each failing test with what it does when run again, here and before. */
const world = fc.record({
  tests: fc.array(fc.record({ here: runsOf(RERUNS), before: runsOf(RERUNS) }), { maxLength: 6 }),
  canRunBefore: fc.boolean(),
  known: fc.integer({ min: 0, max: 400 }),
  held: fc.integer({ min: 0, max: 5 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const runs = (of: readonly (readonly Outcome[])[]): ReadonlyMap<string, TestStatus>[] =>
  Array.from({ length: RERUNS }, (_, n) => {
    const told = of.flatMap((outcomes, t): [string, TestStatus][] => {
      const one = outcomes[n] ?? 'absent';
      return one === 'absent' ? [] : [[`t${t}`, one]];
    });
    return new Map(told);
  });

const ruled = ({ tests, canRunBefore, known, held }: World) => {
  const failing = tests.map((_, t) => `t${t}`);
  const first = new Map(failing.map((id) => [id, 'failed' as const]));
  const here = seenIn(failing, [first, ...runs(tests.map((t) => t.here))], 'fails');
  const before = canRunBefore ? seenIn(failing, runs(tests.map((t) => t.before)), 'nothing') : null;
  return rule({ failing, here, before, known, held });
};

/** The rule in words, test by test: what is not shown to have been flaky before counts against the work. */
function model({ tests, canRunBefore, known, held }: World): { readonly [id: string]: string } {
  const passes = (all: readonly Outcome[]): number => all.filter((o) => o === 'passed').length;
  const kinds = tests.map(({ here, before }) => {
    if (passes(here) === 0) return 'broken';
    if (!canRunBefore || passes(before) === 0) return 'unproved';
    return before.includes('failed') ? 'flaky' : 'becameFlaky';
  });
  const many = kinds.filter((kind) => kind === 'flaky').length + held > Math.max(1, Math.floor(known / 50));
  return Object.fromEntries(kinds.map((kind, t) => [`t${t}`, kind === 'flaky' && many ? 'overCap' : kind]));
}

test('a stopped run and a missing test count as failures where that counts against the work, and excuse nothing', () => {
  const passed = new Map([['a', 'passed' as const]]);
  expect(seenIn(['a', 'b'], [passed, null], 'fails')).toEqual(
    new Map([
      ['a', { passes: 1, fails: 1 }],
      ['b', { passes: 0, fails: 2 }],
    ]),
  );
  const before = seenIn(['a'], [passed, null, new Map()], 'nothing');
  expect(before).toEqual(new Map([['a', { passes: 1, fails: 0 }]]));
  const here = new Map([['a', { passes: 1, fails: 3 }]]);
  expect(rule({ failing: ['a'], here, before, known: 9, held: 0 })).toMatchObject({ becameFlaky: ['a'], flaky: [] });
});

describe('the rule', () => {
  test('says of each test what the model says, and of each exactly one thing', () => {
    fc.assert(
      fc.property(world, (w) => {
        const found = Object.entries(ruled(w)).flatMap(([kind, ids]) => ids.map((id) => [id, kind]));
        expect(found).toHaveLength(w.tests.length);
        expect(Object.fromEntries(found)).toEqual(model(w));
      }),
      { numRuns: 3_000 },
    );
  });
  test('never forgives a test that was steady before, or that never passes now', () => {
    fc.assert(
      fc.property(world, (w) => {
        for (const id of ruled(w).flaky) {
          const { here, before } = w.tests[Number(id.slice(1))] ?? { here: [], before: [] };
          expect([here.includes('passed'), before.includes('passed')]).toEqual([true, true]);
          expect(before).toContain('failed');
        }
      }),
    );
  });
  test('one more pass on this tree makes no broken test of a flaky one, and one more fail before forgives no more than it should', () => {
    fc.assert(
      fc.property(world, fc.nat(), (w, at) => {
        const better = {
          ...w,
          tests: w.tests.map((t, n) =>
            n === at % (w.tests.length || 1) ? { ...t, here: ['passed' as const, ...t.here.slice(1)] } : t,
          ),
        };
        expect(ruled(better).broken.length).toBeLessThanOrEqual(ruled(w).broken.length);
      }),
    );
  });
  test('keeps at most two in a hundred in quarantine, but one always', () => {
    expect([0, 1, 49, 99, 100, 1000].map(capOf)).toEqual([1, 1, 1, 1, 2, 20]);
    const flaky = { here: ['passed', 'failed', 'failed'], before: ['passed', 'failed', 'passed'] } as const;
    const all = (n: number, held: number, known: number) =>
      ruled({
        tests: Array.from({ length: n }, () => ({ here: [...flaky.here], before: [...flaky.before] })),
        canRunBefore: true,
        known,
        held,
      });
    expect(all(1, 0, 10).flaky).toHaveLength(1);
    expect(all(1, 1, 10)).toMatchObject({ flaky: [], overCap: ['t0'] });
    expect(all(2, 0, 10)).toMatchObject({ flaky: [], overCap: ['t0', 't1'] });
    expect(all(2, 0, 100).overCap).toEqual([]);
  });
});

describe('the quarantine', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const later = (days: number) => new Date(Date.parse(at) + days * 86_400_000).toISOString();
  const found = (...ids: string[]) => new Map(ids.map((id) => [id, { fails: 2, passes: 1 }]));
  const two = withFlaky([], found('b', 'a'), { at, session: 3 });

  test('holds a test for fourteen days, sorted, with who found it and how', () => {
    expect(two.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(two[0]).toEqual({ id: 'a', since: at, session: 3, expires: later(14), fails: 2, passes: 1 });
    expect([heldAt(two, later(13.9)).length, heldAt(two, later(14)).length]).toEqual([2, 0]);
  });
  test('removes expired tests when another is added, and starts over for one that is found again', () => {
    const more = withFlaky(two, found('c'), { at: later(15), session: null });
    expect(more.map(({ id }) => id)).toEqual(['c']);
    expect(withFlaky(two, found('a'), { at: later(1), session: 4 })[0]).toMatchObject({ since: later(1), session: 4 });
  });
  test('is read back as it was written; what is broken is never taken for none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'harness-quarantine-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'quarantine.json');
    expect(readQuarantine(file)).toEqual({ ok: true, value: [] });
    writeFileSync(file, quarantineText(two));
    expect(readQuarantine(file)).toEqual({ ok: true, value: two });
    for (const text of ['', '{', '{"schema":2,"tests":[]}', '{"schema":1,"tests":[{"id":"a"}]}']) {
      writeFileSync(file, text);
      const read = readQuarantine(file);
      expect(read.ok ? text : read.failure.reason).toBe('state-unreadable');
    }
  });
});
