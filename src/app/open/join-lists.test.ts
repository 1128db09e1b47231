// Two versions of a list that have both changed: nothing that either side knows is lost.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { backlog } from '../../playbooks/features/backlog.ts';
import { joinedLists } from './join-lists.ts';

type Entry = {
  readonly id: number;
  readonly description: string;
  readonly passes: boolean;
  readonly [more: string]: unknown;
};
const entry = (id: number, more: object = {}): Entry => ({
  id,
  description: `Thing ${id}`,
  test_file: `tests/${id}.test`,
  passes: false,
  ...more,
});
const list = (...features: readonly Entry[]): string => `${JSON.stringify({ features }, null, 2)}\n`;
const joined = (base: string | null, mine: string, theirs: string | null): readonly Entry[] =>
  (JSON.parse(joinedLists(backlog, 'features.json', { base, mine, theirs })) as { features: Entry[] }).features;

const [one, two] = [entry(1), entry(2)];

test('what landed on one side and was described or added on the other are both there', () => {
  const theirs = list(entry(1, { description: 'Better' }), two, entry(3));
  expect(joined(list(one, two), list(entry(1, { passes: true }), two), theirs)).toMatchObject([
    { id: 1, description: 'Better', passes: true },
    { id: 2, passes: false },
    { id: 3, passes: false },
  ]);
});

test('what the user decided on their branch since counts; what they only had before does not', () => {
  const skipped = { reason: 'later', at: '2026-01-01T00:00:00.000Z', unblock: false };
  const theirs = list(entry(1, { passes: true }), entry(2, { skipped }), entry(3, { passes: true }));
  const mine = list(one, two, entry(3, { failing: { reason: 'broken since' } }), entry(4));
  expect(joined(list(one, two, entry(3, { passes: true })), mine, theirs)).toMatchObject([
    { id: 1, passes: true },
    { id: 2, skipped: { reason: 'later' } },
    { id: 3, passes: false },
    { id: 4 },
  ]);
});

test('where one side did nothing the other is taken as it is, and a text that is no list changes nothing', () => {
  const [base, other] = [list(one), list(entry(1, { notes: 'x' }), two)];
  const join = (mine: string, theirs: string | null): string =>
    joinedLists(backlog, 'features.json', { base, mine, theirs });
  expect([join(base, other), join(other, base), join(other, null), join(other, '{')]).toEqual([
    other,
    other,
    other,
    other,
  ]);
});

test('whatever both sides did: no item is lost, what passes on the branch still passes, and joining again changes nothing', () => {
  const side = fc.array(fc.record({ passes: fc.boolean(), words: fc.constantFrom('a', 'b') }), {
    minLength: 1,
    maxLength: 5,
  });
  const of = (rows: readonly { readonly passes: boolean; readonly words: string }[]): string =>
    list(...rows.map(({ passes, words }, n) => entry(n + 1, { passes, notes: words })));
  fc.assert(
    fc.property(side, side, side, (base, mine, theirs) => {
      const [b, m, t] = [of(base), of(mine), of(theirs)];
      const both = joined(b, m, t);
      const has = (id: number): boolean => both.some((found) => found.id === id);
      // Where one side did nothing the other is taken as it is, without what it removed.
      if (m !== b && t !== b)
        expect([...mine, ...theirs].every((_, n) => n >= Math.max(mine.length, theirs.length) || has(n + 1))).toBe(
          true,
        );
      if (m !== b) for (const [n, { passes }] of mine.entries()) if (passes) expect(both[n]?.passes).toBe(true);
      const once = joinedLists(backlog, 'features.json', { base: b, mine: m, theirs: t });
      expect(joinedLists(backlog, 'features.json', { base: b, mine: once, theirs: t })).toBe(once);
    }),
  );
});
