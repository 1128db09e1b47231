// How the tests of carts compare.
import assert from 'node:assert/strict';

/** Fails unless both are deeply equal. */
export function same(actual, expected) {
  assert.deepEqual(actual, expected);
}
