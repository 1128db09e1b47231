// Selection, against an oracle written the long way round.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feature, featureLists } from '../../../test/support/features.ts';
import type { Feature } from './schema.ts';
import { dependentsOf, select, toItems } from './select.ts';

/** Sorts every candidate by every rule, one rule at a time, from the least to the most important. */
function oracle(list: readonly Feature[], prefer: number | null): number | null {
  const canStart = (f: Feature) =>
    !f.passes &&
    !f.skipped &&
    (f.depends_on ?? []).every((id) => {
      const other = list.find((o) => o.id === id)!;
      return other.passes || (other.skipped ? other.skipped.unblock : false);
    });
  const ready = list.filter(canStart);
  ready.sort((a, b) => a.id - b.id);
  ready.sort((a, b) => (a.priority ?? 1e9) - (b.priority ?? 1e9));
  ready.sort((a, b) => Number(!a.failing) - Number(!b.failing));
  return (ready.find((f) => f.id === prefer) ?? ready[0])?.id ?? null;
}

test('the next feature is the one the oracle picks', () => {
  let picked = 0;
  fc.assert(
    fc.property(featureLists(), fc.option(fc.integer({ min: 1, max: 60 })), (list, prefer) => {
      const { next, remaining, passing, skipped, total } = select(list, prefer);
      expect(next?.id ?? null).toBe(oracle(list, prefer));
      if (next !== null) picked++;
      expect(remaining + passing + skipped).toBe(total);
    }),
    { numRuns: 500 },
  );
  expect(picked).toBeGreaterThan(100);
});

test("the reference's example selects feature 3", () => {
  const list = [
    feature(1, { passes: true }),
    feature(2, { passes: true, depends_on: [1] }),
    feature(3, { depends_on: [1, 2] }),
    feature(4, { depends_on: [2] }),
    feature(5, { depends_on: [] }),
  ];
  expect(select(list).next?.id).toBe(3);
  expect(dependentsOf(list, 2)).toEqual([3, 4]);
  expect(dependentsOf(list, 1)).toEqual([2, 3, 4]);
});

describe('order', () => {
  test('priority goes before id, none goes last, failing goes before both, preferred before all', () => {
    const list = [
      feature(1),
      feature(2, { priority: 5 }),
      feature(3, { priority: 1 }),
      feature(4, { failing: { reason: 'x' } }),
    ];
    expect(select(list).next?.id).toBe(4);
    expect(select(list.slice(0, 3)).next?.id).toBe(3);
    expect(select(list, 2).next?.id).toBe(2);
  });
  test('a preferred feature that cannot be worked on is passed over', () => {
    const list = [feature(1), feature(2, { passes: true }), feature(3, { depends_on: [1] })];
    expect(select(list, 2).next?.id).toBe(1);
    expect(select(list, 3).next?.id).toBe(1);
    expect(select(list, 99).next?.id).toBe(1);
  });
});

test('ten thousand features in a chain are read through once', () => {
  let looks = 0;
  const list = Array.from({ length: 10_000 }, (_, i) => {
    const f = feature(i + 1, { depends_on: i === 0 ? [] : [i], passes: i < 9_000 });
    return new Proxy(f, { get: (target, key) => (looks++, Reflect.get(target, key) as unknown) });
  });
  expect(select(list).next?.id).toBe(9_001);
  expect(looks).toBeLessThan(10_000 * 12);
});

test('dependents are the transitive closure, without the feature itself', () => {
  fc.assert(
    fc.property(featureLists(), (list) => {
      for (const { id } of list) {
        const waits = (f: Feature): boolean =>
          (f.depends_on ?? []).some((d) => d === id || waits(list.find((o) => o.id === d)!));
        expect(dependentsOf(list, id)).toEqual(list.filter(waits).map((f) => f.id));
      }
    }),
  );
});

describe('items', () => {
  const status = (list: readonly Feature[]) => Object.fromEntries(toItems(list).map((i) => [i.id, i.status]));
  test('a skipped feature blocks what waits behind it, near and far', () => {
    const skipped = { reason: 'r', unblock: false };
    const list = [
      feature(1, { skipped }),
      feature(2, { depends_on: [1] }),
      feature(3, { depends_on: [2] }),
      feature(4),
    ];
    expect(status(list)).toEqual({ 1: 'skipped', 2: 'blocked', 3: 'blocked', 4: 'ready' });
    expect(toItems(list)[1]?.blockedBy).toEqual(['1']);
  });
  test('one that unblocks frees them', () => {
    const skipped = { reason: 'r', unblock: true };
    const list = [feature(1, { skipped }), feature(2, { depends_on: [1] }), feature(3, { depends_on: [2] })];
    expect(status(list)).toEqual({ 1: 'skipped', 2: 'ready', 3: 'pending' });
  });
  test('what a person let pass without proof is not shown as landed', () => {
    const override = { passes: true, reason: 'r', by: 'me', at: 'now' };
    const list = [
      feature(1, { passes: true, override }),
      feature(2, { passes: true }),
      feature(3, { failing: { reason: 'x' } }),
    ];
    expect(status(list)).toEqual({ 1: 'unproved', 2: 'landed', 3: 'failed' });
  });
  test('exactly the selectable ones are ready or failed', () => {
    fc.assert(
      fc.property(featureLists(), (list) => {
        const open = toItems(list).filter((i) => i.status === 'ready' || i.status === 'failed');
        const { next } = select(list);
        expect(open.length > 0).toBe(next !== null);
        expect(next === null || open.some((i) => i.id === String(next.id))).toBe(true);
        for (const i of open) expect(i.blockedBy).toEqual([]);
      }),
    );
  });
});
