import { expect, test } from 'vitest';
import { claimsIn } from './ui-qa.ts';

test('an assertion is about the user interface by its area alone', () => {
  const claims = ['VAL-UI-001', 'VAL-CART-UI-002', 'VAL-UIX-003', 'VAL-AUTH-004', 'VAL-UI-010', '1.2'];
  expect(claimsIn(claims, ['UI'])).toEqual(['VAL-UI-001', 'VAL-UI-010']);
  expect(claimsIn(claims, ['ui', 'cart-ui'])).toEqual(['VAL-UI-001', 'VAL-CART-UI-002', 'VAL-UI-010']);
  expect(claimsIn(claims, [])).toEqual([]);
});
