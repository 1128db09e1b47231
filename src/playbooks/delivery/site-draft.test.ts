import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAcceptance } from './acceptance.ts';
import { doubtOf, judgeSite, readSiteDraft } from './site-draft.ts';

const SEEN = {
  url: 'http://127.0.0.1:4000/',
  pages: [
    { page: '/', words: ['Shop', 'Goods for every day', 'button "Add to cart"'] },
    { page: '/cart', words: ['Cart', 'Total:  €12.00\nPay now'] },
  ],
};
const DRAFT = `# Shop

## What it is
- A shop for goods of daily use. (/: "goods for EVERY day")

## Cart
- CART-1: A visitor can put goods into the cart,
  from the start page. (/: "Add to cart")
* **CART-2**: The total is shown. (/cart: “Total: €12.00”; \`/\`: "Shop").
- CART-3: It can be paid by card. (/cart: "Credit card")
- CART-4: There is a list of orders. (/orders: "Orders")
- CART-5: It is fast.
- CART-6: It has an A. (/: "a")

A paragraph that was seen nowhere.

## Not seen
- What follows the payment.
`;
const judged = judgeSite(readSiteDraft(DRAFT), SEEN);

describe('a specification of a site', () => {
  test('keeps the statements whose words were seen on the page that they name', () => {
    expect(judged?.spec).toContain(
      '- CART-1: A visitor can put goods into the cart, from the start page. (/: "Add to cart")',
    );
    expect(judged?.spec).toContain('- CART-2: The total is shown. (/cart: "Total: €12.00"; /: "Shop")');
    expect(judged).toMatchObject({ statements: 3, criteria: 2, notSeen: 6 });
  });

  test('returns each of the others with its line', () => {
    expect(judged?.problems.map(({ params }) => [params['line'], params['why']])).toEqual([
      [10, 'quote-not-seen'],
      [11, 'page-not-seen'],
      [12, 'not-cited'],
      [13, 'quote-too-short'],
      [15, 'not-cited'],
    ]);
  });

  test('lists them as not seen, without a tag: they are no criteria', () => {
    const [, open = ''] = judged?.spec.split('## Not seen') ?? [];
    expect(open).toContain('- It can be paid by card.');
    expect(open).toContain('- What follows the payment.');
    expect(open).not.toContain('CART-');
    expect(readAcceptance(judged?.acceptance ?? '').criteria).toEqual([
      { tag: 'CART-1', text: 'A visitor can put goods into the cart, from the start page.', line: 5 },
      { tag: 'CART-2', text: 'The total is shown.', line: 6 },
    ]);
  });

  test('has a tag once: the second is returned', () => {
    const twice = judgeSite(readSiteDraft('# S\n- A-1: x. (/: "Shop")\n- A-1: y. (/: "Shop")\n'), SEEN);
    expect(twice?.problems).toMatchObject([{ params: { line: 3, why: 'tag-repeated' } }]);
  });

  test.each(['', '# Shop\n', '- It is a shop. (/: "Shop")', '- A-1: It is fast.'])('is none where it is %j', (text) => {
    expect(judgeSite(readSiteDraft(text), SEEN)).toBeNull();
  });

  test('has only criteria with proof, whatever was written; read again it is the same', () => {
    const part = fc.constantFrom(
      '# T',
      '## S',
      '- A-1: one. (/: "Shop")',
      '- A-2: two. (/cart: "Total")',
      '- B-1: lie. (/cart: "Refund")',
      '- plain words',
      'A-3: prose. (/: "Shop")',
      '  more of it',
      '',
      '## Not seen',
      '```',
      '> A-4: quoted (/: "Shop")',
      '- A-5: (x (/: "Shop")',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string())), (lines) => {
        const one = judgeSite(readSiteDraft(lines.join('\n')), SEEN);
        if (one === null) return;
        const again = readSiteDraft(one.spec);
        const statements = again.sections.flatMap((section) => section.statements).filter(({ tag }) => tag !== null);
        expect(statements).toHaveLength(one.criteria);
        expect(statements.every((statement) => doubtOf(statement, SEEN.pages) === null)).toBe(true);
        expect(readAcceptance(one.acceptance).criteria).toHaveLength(one.criteria);
        expect(one.spec.split('## Not seen')[0]).not.toMatch(/Refund/);
      }),
    );
  });
});
