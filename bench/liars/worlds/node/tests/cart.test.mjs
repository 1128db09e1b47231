import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, count } from '../src/cart.mjs';
import { same } from './support/same.mjs';

test('a thing is put into the cart', () => {
  same(add([], 'pen', 120), [{ name: 'pen', price: 120, quantity: 1 }]);
});

test('things are counted, not lines', () => {
  const cart = add(add([], 'pen', 120, 2), 'ink', 450);
  assert.equal(cart.length, 2);
  assert.equal(count(cart), 3);
});
