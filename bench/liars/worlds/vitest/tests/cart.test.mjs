import { expect, test } from 'vitest';
import { add, count } from '../src/cart.mjs';

test('a thing is put into the cart', () => {
  expect(add([], 'pen', 120)).toEqual([{ name: 'pen', price: 120, quantity: 1 }]);
});

test('things are counted, not lines', () => {
  const cart = add(add([], 'pen', 120, 2), 'ink', 450);
  expect(cart).toHaveLength(2);
  expect(count(cart)).toBe(3);
});
