// What a review says, and what counts of it: nothing passes without a verdict and a quote that was found.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { occursIn } from '../../model/review.ts';
import { REVIEW_VERDICTS } from '../../model/review.ts';
import { problemsOf, readReview } from './review-answer.ts';

const CLAIMS = ['VAL-A-001', 'VAL-A-002'];
const pass = (id: string) => ({ id, verdict: 'pass', path: 'a.js', quote: 'return sum;' });
const said = (...assertions: object[]): string => JSON.stringify({ assertions });
const codes = (text: string, quoted: readonly string[] = CLAIMS): readonly string[] => {
  const read = readReview(text);
  return read === null
    ? ['unreadable']
    : problemsOf('validator', CLAIMS, read, new Set(quoted)).map(({ code }) => code);
};

describe('a review', () => {
  test('passes where each assertion has a pass with a quote that was found', () => {
    expect(codes(said(pass('VAL-A-001'), pass('VAL-A-002')))).toEqual([]);
  });
  test.each([
    [
      'a pass without a quote that was found',
      said(pass('VAL-A-001'), pass('VAL-A-002')),
      ['VAL-A-001'],
      ['review-unquoted'],
    ],
    ['an assertion without a verdict', said(pass('VAL-A-001')), CLAIMS, ['review-unanswered']],
    ['a fail', said(pass('VAL-A-001'), { id: 'VAL-A-002', verdict: 'FAILED', why: 'no' }), CLAIMS, ['review-finding']],
    ['what is unclear', said(pass('VAL-A-001'), { id: 'VAL-A-002', verdict: 'ambiguous' }), CLAIMS, ['review-unclear']],
    [
      'a pass that is taken back',
      said(pass('VAL-A-001'), pass('VAL-A-002'), { id: 'VAL-A-001', verdict: 'fail' }),
      CLAIMS,
      ['review-finding'],
    ],
    [
      'a verdict that is none',
      said(pass('VAL-A-001'), { id: 'VAL-A-002', verdict: 'probably' }),
      CLAIMS,
      ['unreadable'],
    ],
    ['prose', 'Everything is fine.', CLAIMS, ['unreadable']],
  ])('does not pass with %s', (_, text, quoted, found) => {
    expect(codes(text, quoted)).toEqual(found);
  });
  test('passes only with all of its assertions, whatever else it says', () => {
    const verdict = fc.record({
      id: fc.constantFrom(...CLAIMS, 'VAL-B-001'),
      verdict: fc.constantFrom(...REVIEW_VERDICTS),
    });
    fc.assert(
      fc.property(fc.array(verdict), (all) => {
        const holds = CLAIMS.every((id) => {
          const own = all.filter((one) => one.id === id);
          return own.length > 0 && own.every((one) => one.verdict === 'pass');
        });
        expect(codes(said(...all)).length === 0).toBe(holds);
      }),
    );
  });
  test('keeps its issues, with a severity that is known', () => {
    const issues = [
      { title: 'Sessions never end', severity: 'Critical' },
      { title: '' },
      { title: 'Slow', severity: '?' },
    ];
    expect(readReview(JSON.stringify({ assertions: [], issues }))?.issues).toEqual([
      { title: 'Sessions never end', why: '', path: '', severity: 'high' },
      { title: 'Slow', why: '', path: '', severity: 'medium' },
    ]);
  });
});

test.each([
  [true, 'if (a) {\n  return b;\n}', 'if (a) { return b; }'],
  [false, 'if (a) return b;', 'if (a) return c;'],
  [false, 'return a;', 'a'],
])('whether a quote occurs is %s: %j, %j', (occurs, text, quote) => {
  expect(occursIn(text, quote)).toBe(occurs);
});
