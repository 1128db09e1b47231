// The file of the session state: read back after a crash, refused where it is broken, pruned without losing a trick.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MemoryEntry } from '../model/memory.ts';
import { entriesOf, lineOf, newestOf, prune, readRecords, type MemoryRecord } from './records.ts';
import { isLasting, tricksIn } from './tricks.ts';

const AT = '2026-01-02T03:04:05.678Z';
const recordOf = (n: number, session: number, ...lines: readonly string[]): MemoryRecord => ({
  token: `t${n}`,
  at: AT,
  entries: [{ n, session, role: 'worker', item: 'a', lines }],
});
/** In the order of their texts: an entry that only repeats a trick is gone. */
const tricksBy = (entries: readonly MemoryEntry[]) =>
  tricksIn(entries)
    .map((one) => ({ ...one, sessions: one.sessions.toSorted((a, b) => a - b) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1));
const records = fc
  .array(
    fc.record({
      session: fc.integer({ min: 1, max: 9 }),
      lines: fc.array(
        fc.oneof(
          fc.string({ maxLength: 40 }),
          fc.constantFrom('TRICK: a', 'TRICK: b', 'TRICK: c', 'CONFIRMED: a', 'x'),
        ),
        { minLength: 1, maxLength: 5 },
      ),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((all) => all.map(({ session, lines }, at) => recordOf(at + 1, session, ...lines)));

describe('the file', () => {
  test('is read back as it was written', () => {
    fc.assert(
      fc.property(records, (all) => {
        expect(readRecords(all.map(lineOf).join(''), 'f')).toEqual({
          ok: true,
          value: { records: all, isTorn: false },
        });
      }),
    );
  });
  test('without the last line, wherever a crash cut it', () => {
    const [one, two] = [lineOf(recordOf(1, 1, 'ä')), lineOf(recordOf(2, 2, 'b'))];
    for (let at = 1; at < two.length; at += 1)
      expect(readRecords(one + two.slice(0, at), 'f')).toEqual({
        ok: true,
        value: { records: [recordOf(1, 1, 'ä')], isTorn: true },
      });
  });
  test('is refused with a broken line before others', () => {
    const text = `{"token"\n${lineOf(recordOf(2, 2, 'b'))}`;
    expect(readRecords(text, 'f')).toMatchObject({ ok: false, failure: { reason: 'state-unreadable' } });
  });
});

describe('pruning', () => {
  const caps = { whole: 60, tricks: 1_000, tokens: 5 };
  test('changes nothing below the cap', () => {
    const all = [recordOf(1, 1, 'a'), recordOf(2, 1, 'b')];
    expect(prune(all, caps)).toBe(all);
  });
  test('keeps the newest whole and of older ones the tricks, each once for its session', () => {
    const all = [
      recordOf(1, 1, 'old news', 'TRICK: one', 'TRICK: one.'),
      recordOf(2, 2, 'x'.repeat(50)),
      recordOf(3, 3, 'y'.repeat(30), 'TRICK: two'),
    ];
    expect(entriesOf(prune(all, caps)).map(({ n, lines }) => [n, lines])).toEqual([
      [1, ['TRICK: one']],
      [3, ['y'.repeat(30), 'TRICK: two']],
    ]);
  });
  test('keeps an entry that is larger than the cap by itself, if it is the newest', () => {
    const all = [recordOf(1, 1, 'a'), recordOf(2, 1, 'z'.repeat(100))];
    expect(entriesOf(prune(all, caps)).map(({ n }) => n)).toEqual([2]);
  });
  test('keeps within its caps, the newest entry, its number, and what is confirmed', () => {
    fc.assert(
      fc.property(records, (all) => {
        const left = prune(all, caps);
        const entries = entriesOf(left);
        expect(newestOf(left)).toBe(newestOf(all));
        expect(entries.at(-1)).toEqual(entriesOf(all).at(-1));
        expect(tricksBy(entries)).toEqual(tricksBy(entriesOf(all)));
        expect(left.filter((one) => one.entries.length === 0).length).toBeLessThanOrEqual(caps.tokens);
        const numbers = entries.map(({ n }) => n);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        const plain = entries.slice(0, -1).flatMap(({ lines }) => lines.filter((line) => !isLasting(line)));
        expect(plain.reduce((sum, line) => sum + line.length + 1, 0)).toBeLessThanOrEqual(caps.whole);
        expect(entriesOf(prune(left, caps))).toEqual(entries);
      }),
    );
  });
});
