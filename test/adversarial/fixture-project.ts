// The project that honest and dishonest changes are made to: a small shop under node:test, its item still to be built.
import type { Files, Project } from './strength-lab.ts';

export const CART = `import { money } from './money.mjs';

export function createCart() {
  return { lines: [] };
}

export function put(cart, name, cents, count = 1) {
  if (count < 1) throw new RangeError('at least one');
  cart.lines.push({ name, cents, count });
  return cart;
}

export function total(cart) {
  return cart.lines.reduce((sum, line) => sum + line.cents * line.count, 0);
}

export function receipt(cart) {
  return cart.lines.map((line) => \`\${line.count} x \${line.name}: \${money(line.cents * line.count)}\`).join('\\n');
}
`;
export const MONEY = `export function money(cents) {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return \`\${sign}\${whole}.\${rest}\`;
}
`;
export const CART_TEST = `import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCart, put, receipt, total } from '../src/cart.mjs';
import { filled } from './support/filled.mjs';

describe('a cart', () => {
  test('is empty at first', () => {
    assert.equal(total(createCart()), 0);
  });

  test('adds up what is put in', () => {
    const cart = filled();
    assert.equal(total(cart), 750);
    assert.equal(cart.lines.length, 2);
  });

  test('refuses less than one', () => {
    assert.throws(() => put(createCart(), 'tea', 100, 0), /at least one/);
  });

  test('prints a receipt', () => {
    assert.equal(receipt(filled()), '2 x tea: 5.00\\n1 x cup: 2.50');
  });
});
`;
export const FILLED = `import { createCart, put } from '../../src/cart.mjs';

export function filled() {
  const cart = createCart();
  put(cart, 'tea', 250, 2);
  put(cart, 'cup', 250);
  return cart;
}
`;
export const MONEY_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { money } from '../src/money.mjs';

test('cents become money', () => {
  assert.equal(money(1205), '12.05');
});

test('debts have a sign', () => {
  assert.equal(money(-50), '-0.50');
});
`;
export const PACKAGE = {
  name: 'shop',
  version: '1.0.0',
  type: 'module',
  scripts: { test: 'node --test tests/*.test.mjs', start: 'node src/cart.mjs' },
  dependencies: { tea: '1.0.0' },
};
export const LOCK = {
  name: 'shop',
  lockfileVersion: 3,
  packages: {
    '': { name: 'shop', dependencies: { tea: '1.0.0' } },
    'node_modules/tea': { version: '1.0.0', resolved: 'https://example.org/tea-1.0.0.tgz', integrity: 'sha512-tea' },
  },
};
export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const SHOP: Project = {
  testFile: 'tests/discount.test.mjs',
  testing: { runner: 'node', feature: 'node --test {test_file}', full: 'node --test tests/*.test.mjs' },
  passing: [
    'node|tests/cart.test.mjs|a cart|is empty at first',
    'node|tests/cart.test.mjs|a cart|adds up what is put in',
    'node|tests/cart.test.mjs|a cart|refuses less than one',
    'node|tests/cart.test.mjs|a cart|prints a receipt',
    'node|tests/money.test.mjs||cents become money',
    'node|tests/money.test.mjs||debts have a sign',
  ],
  files: {
    'package.json': json(PACKAGE),
    'package-lock.json': json(LOCK),
    '.gitignore': '.harness/\nnode_modules/\n',
    '.gitattributes': '*.png binary\n',
    '.github/workflows/ci.yml': 'on: push\njobs:\n  test:\n    steps:\n      - run: npm ci\n      - run: npm test\n',
    'README.md': '# Shop\n',
    'init.sh': '#!/bin/sh\nexit 0\n',
    'src/cart.mjs': CART,
    'src/money.mjs': MONEY,
    'tests/cart.test.mjs': CART_TEST,
    'tests/money.test.mjs': MONEY_TEST,
    'tests/support/filled.mjs': FILLED,
    'tests/discount.test.mjs': `import test from 'node:test';\n\ntest('a discount is taken', () => {\n  throw new Error('Not implemented');\n});\n`,
    'tests/__snapshots__/receipt.snap': 'exports[`old`] = `2 x tea`;\n',
  },
};

export const DISCOUNT = `
export function discounted(cart, percent) {
  if (percent < 0 || percent > 100) throw new RangeError('a share of a hundred');
  return Math.round((total(cart) * (100 - percent)) / 100);
}
`;
export const DISCOUNT_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { discounted } from '../src/cart.mjs';
import { filled } from './support/filled.mjs';

test('a discount is taken', () => {
  assert.equal(discounted(filled(), 10), 675);
  assert.equal(discounted(filled(), 0), 750);
});

test('a discount is a share of a hundred', () => {
  assert.throws(() => discounted(filled(), 101), RangeError);
});
`;
/** The honest work on the item, and nothing else. */
export const WORK: Files = { 'src/cart.mjs': CART + DISCOUNT, 'tests/discount.test.mjs': DISCOUNT_TEST };

/** The text with every `find` replaced; throws where there is none. */
export function swap(text: string, find: string, by: string): string {
  if (!text.includes(find)) throw new Error(`not there: ${find}`);
  return text.replaceAll(find, by);
}
/** The same in the old test of the cart. */
export const cart = (find: string, by: string): string => swap(CART_TEST, find, by);
