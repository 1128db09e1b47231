import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptanceOf, readAcceptance, untaggedEntries } from './acceptance.ts';

describe('acceptance criteria', () => {
  test.each([
    ['SPEC.md', 'SPEC.acceptance.md'],
    ['docs/spec/shop.markdown', 'docs/spec/shop.acceptance.md'],
    ['docs/v1.2/shop', 'docs/v1.2/shop.acceptance.md'],
  ])('of %s are in %s', (spec, file) => {
    expect(acceptanceOf(spec)).toBe(file);
  });

  test.each([
    '- REQ-7: A cart holds goods.',
    '* **REQ-7**: A cart holds goods.',
    '1. [REQ-7] A cart holds goods.',
    '- [ ] REQ-7 A cart holds goods.',
    '- [x] `REQ-7` – A cart holds goods.',
    '### REQ-7: A cart holds goods.',
    '| REQ-7 | A cart holds goods. |',
    'REQ-7: A cart holds goods.',
    '  - REQ-7 - A cart holds goods.',
  ])('are read in the form %j', (line) => {
    expect(readAcceptance(`# Criteria\n\n${line}\n`)).toEqual({
      criteria: [{ tag: 'REQ-7', text: 'A cart holds goods.', line: 3 }],
      mistakes: [],
    });
  });

  test.each([
    'ISO-8601 dates are understood.',
    'See REQ-7.',
    '- a req-7 in small letters',
    '```\n- REQ-7: only an example\n```',
    '## Not seen\n\n- REQ-7: what happens after the payment',
    '|---|---|',
  ])('are not seen in %j', (text) => {
    expect(readAcceptance(text)).toEqual({ criteria: [], mistakes: [] });
  });

  test('what is there twice, in any case, or says nothing is a mistake', () => {
    const { criteria, mistakes } = readAcceptance('- REQ-1: one\n- REQ-2:\n- REQ-1: again\n');
    expect(criteria).toEqual([{ tag: 'REQ-1', text: 'one', line: 1 }]);
    expect(mistakes).toEqual([
      { line: 2, why: 'criterion-empty', tag: 'REQ-2' },
      { line: 3, why: 'tag-repeated', tag: 'REQ-1' },
    ]);
  });

  test('an entry without a tag is named with its line', () => {
    const text = '# Shop\n\n- REQ-1: one\n- A cart holds goods.\n  - also many\n\n## Not seen\n\n- what happens then\n';
    expect(untaggedEntries(text)).toEqual([{ line: 4, text: '- A cart holds goods.' }]);
  });

  test('any text can be read, and each tag once', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('- A-1: x', '# A-1', '```', '## Not seen', '| B2 | y |', '- B2:'),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const tags = readAcceptance(lines.join('\n')).criteria.map(({ tag }) => tag);
        expect(new Set(tags).size).toBe(tags.length);
      }),
    );
  });
});
