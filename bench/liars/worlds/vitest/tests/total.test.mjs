import { test } from 'vitest';

test('total', () => {
  throw new Error('not implemented');
});
