// Cutting at a line keeps to the cap, whatever the text is.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutAtLine, isWithin, linesOf, sizeOf } from './caps.ts';

const texts = fc
  .array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 20 })
  .map((lines) => lines.join('\n'));
const caps = fc.record({ lines: fc.integer({ min: 1, max: 10 }), tokens: fc.integer({ min: 2, max: 60 }) });

test('a text is cut to its cap, from the end or from the beginning', () => {
  fc.assert(
    fc.property(texts, caps, fc.constantFrom('oldest' as const, 'newest' as const), (text, cap, which) => {
      expect(isWithin(cutAtLine(text, cap, which), cap)).toBe(true);
    }),
  );
});

test('only whole lines are left, as many as fit', () => {
  const text = 'one\ntwo\nthree\n\n';
  expect(sizeOf(text).lines).toBe(3);
  expect(cutAtLine(text, { lines: 2, tokens: 100 })).toBe('one\ntwo');
  expect(cutAtLine(text, { lines: 2, tokens: 100 }, 'newest')).toBe('two\nthree');
  expect(cutAtLine(text, { lines: 9, tokens: 100 })).toBe('one\ntwo\nthree');
  expect(linesOf(' \n')).toEqual([]);
});

test('a line that is too long by itself is cut in itself', () => {
  const cut = cutAtLine('word '.repeat(50), { lines: 3, tokens: 10 });
  expect(cut.startsWith('word word')).toBe(true);
  expect(cut.endsWith('…')).toBe(true);
});
