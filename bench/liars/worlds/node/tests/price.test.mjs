import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closely } from 'closely';
import { discounted, shown } from '../src/price.mjs';

test('a price is shown with two digits', () => {
  assert.equal(shown(1205), '12.05 EUR');
});

test('a discount is rounded to whole cents', () => {
  closely(discounted(999, 10), 899);
});
