import { test } from 'vitest';

test('shipping', () => {
  throw new Error('not implemented');
});
