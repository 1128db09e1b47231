import { expect, test } from 'vitest';
import { nameOfTest } from './report.ts';

test.each([
  ['node|tests/cart.test.mjs||cart works', 'tests/cart.test.mjs > cart works'],
  ['vitest|src/a.test.ts|cart > sum|adds | ors', 'src/a.test.ts > cart > sum > adds | ors'],
  ['tap|||bench is there', 'bench is there'],
  ['src/a.ts', 'src/a.ts'],
  ['a|b', 'a|b'],
  ['ls | wc | sort | uniq', 'ls | wc | sort | uniq'],
])('%s is shown as %s', (id, shown) => expect(nameOfTest(id)).toBe(shown));
