import { test } from 'node:test';

test('shipping', () => {
  throw new Error('not implemented');
});
