// The token estimate errs to the high side, and cutting respects it.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutToTokens, estimateTokens } from './tokens.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.lorem({ maxCount: 60 }),
  fc.string({ maxLength: 400 }),
);

test('never less than bytes over three and a half', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const bytes = new TextEncoder().encode(text.toWellFormed()).length;
      expect(estimateTokens(text.toWellFormed())).toBeGreaterThanOrEqual(Math.ceil(bytes / 3.5));
    }),
  );
});

test('a cut text is a beginning within its budget', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 80 }), (text, max) => {
      const cut = cutToTokens(text.toWellFormed(), max);
      expect(estimateTokens(cut)).toBeLessThanOrEqual(max);
      expect(cut.isWellFormed()).toBe(true);
      expect(text.toWellFormed().startsWith(cut.replace(/…$/, ''))).toBe(true);
    }),
  );
});

test('prose costs about what tokenizers say, symbols and other scripts more', () => {
  expect(estimateTokens('User can upload a profile picture')).toBeLessThanOrEqual(12);
  expect(estimateTokens('{}[]()'.repeat(10))).toBe(60);
  expect(estimateTokens('漢字'.repeat(10))).toBe(30);
  expect(estimateTokens('')).toBe(0);
});

test('a hundred kilobytes are cut without looking at all of them', () => {
  expect(cutToTokens('word '.repeat(1_000_000), 20).length).toBeLessThan(160);
});
