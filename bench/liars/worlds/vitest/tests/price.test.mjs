import { expect, test } from 'vitest';
import { discounted, shown } from '../src/price.mjs';

test('prices are shown with two digits', () => {
  expect([5, 99, 1205, 100000].map(shown)).toMatchSnapshot();
});

test('a discount is rounded to whole cents', () => {
  expect(discounted(999, 10)).toBe(899);
});
