import { test } from 'node:test';

test('total', () => {
  throw new Error('not implemented');
});
