// Honest changes: none may be rejected, and few may need a person. Each goes through real checks and real proofs.
import { afterAll, describe, expect, test } from 'vitest';
import { IS_NIGHT, sampleOfRows } from '../support/effort.ts';
import { openLab, told, type Files } from './strength-lab.ts';
import {
  CART,
  cart,
  DISCOUNT,
  DISCOUNT_TEST,
  FILLED,
  json,
  LOCK,
  MONEY,
  MONEY_TEST,
  PACKAGE,
  SHOP,
  swap,
  WORK,
} from './fixture-project.ts';

const lab = openLab(SHOP);
afterAll(() => {
  lab.remove();
});

type About = { readonly mayChangeTests?: readonly string[]; readonly category?: string };
const HONEST: readonly (readonly [name: string, change: Files, about?: About])[] = [
  ['a new function and its test', WORK],
  [
    'the work with the file of an old test sorted anew',
    {
      ...WORK,
      'tests/money.test.mjs': `${MONEY_TEST.split('\ntest(')[0] ?? ''}\ntest(${MONEY_TEST.split('\ntest(')[2] ?? ''}\ntest(${MONEY_TEST.split('\ntest(')[1] ?? ''}`,
    },
  ],
  [
    'an old test formatted with double quotes and other spaces',
    { ...WORK, 'tests/money.test.mjs': MONEY_TEST.replaceAll("'", '"').replaceAll('  ', '    ') },
  ],
  [
    'comments added to old tests',
    {
      ...WORK,
      'tests/cart.test.mjs': cart('    const cart = filled();', '    // two lines\n    const cart = filled();'),
    },
  ],
  [
    'an assertion added to an old test',
    {
      ...WORK,
      'tests/cart.test.mjs': cart(
        'assert.equal(cart.lines.length, 2);',
        "assert.equal(cart.lines.length, 2);\n    assert.equal(cart.lines[0].name, 'tea');",
      ),
    },
  ],
  [
    'a test added to an old file',
    {
      ...WORK,
      'tests/money.test.mjs': `${MONEY_TEST}\ntest('nothing is nothing', () => {\n  assert.equal(money(0), '0.00');\n});\n`,
    },
  ],
  [
    'a local variable of an old test renamed',
    {
      ...WORK,
      'tests/cart.test.mjs': cart(
        'const cart = filled();\n    assert.equal(total(cart), 750);\n    assert.equal(cart.lines.length, 2);',
        'const full = filled();\n    assert.equal(total(full), 750);\n    assert.equal(full.lines.length, 2);',
      ),
    },
  ],
  [
    'a helper of tests moved to another file',
    {
      ...WORK,
      'tests/support/filled.mjs': null,
      'tests/support/carts.mjs': FILLED,
      'tests/cart.test.mjs': cart('./support/filled.mjs', './support/carts.mjs'),
      'tests/discount.test.mjs': swap(DISCOUNT_TEST, './support/filled.mjs', './support/carts.mjs'),
    },
  ],
  [
    'a helper of tests that takes more',
    {
      ...WORK,
      'tests/support/filled.mjs': swap(FILLED, 'filled() {', 'filled(more = []) {').replace(
        '  return cart;',
        '  for (const one of more) put(cart, ...one);\n  return cart;',
      ),
    },
  ],
  [
    'a set-up of old tests moved into beforeEach',
    {
      ...WORK,
      'tests/cart.test.mjs': cart('import { describe, test } from', 'import { beforeEach, describe, test } from')
        .replace(
          "describe('a cart', () => {",
          "describe('a cart', () => {\n  let cart;\n  beforeEach(() => {\n    cart = filled();\n  });\n",
        )
        .replace('    const cart = filled();\n', ''),
    },
  ],
  [
    'equal replaced by strictEqual',
    { ...WORK, 'tests/money.test.mjs': MONEY_TEST.replaceAll('assert.equal(', 'assert.strictEqual(') },
  ],
  [
    'a weaker assertion of an old test made exact',
    { ...WORK, 'tests/cart.test.mjs': cart('/at least one/', "{ name: 'RangeError', message: 'at least one' }") },
  ],
  [
    'messages added to assertions',
    {
      ...WORK,
      'tests/cart.test.mjs': cart(
        'assert.equal(total(cart), 750);',
        "assert.equal(total(cart), 750, 'two teas and a cup');",
      ),
    },
  ],
  [
    'an expected value given a name',
    {
      ...WORK,
      'tests/cart.test.mjs': cart(
        '    assert.equal(total(cart), 750);',
        '    const expected = 2 * 250 + 250;\n    assert.equal(total(cart), expected);',
      ),
    },
  ],
  [
    'async added to an old test',
    {
      ...WORK,
      'tests/cart.test.mjs': cart(
        "test('prints a receipt', () => {",
        "test('prints a receipt', async () => {\n    await null;",
      ),
    },
  ],
  ['a fixture added', { ...WORK, 'tests/fixtures/prices.json': '{ "tea": 250 }\n' }],
  [
    'a helper of tests added and used by the new test',
    {
      ...WORK,
      'tests/support/close.mjs': 'export const close = (a, b) => Math.abs(a - b) < 1;\n',
      'tests/discount.test.mjs': `${DISCOUNT_TEST}\nimport { close } from './support/close.mjs';\ntest('is rounded', () => {\n  assert.ok(close(discounted(filled(), 33), 502.5));\n});\n`,
    },
  ],
  ['a snapshot for a new test', { ...WORK, 'tests/__snapshots__/discount.snap': 'exports[`new`] = `675`;\n' }],
  [
    'a snapshot added to an old file of them',
    { ...WORK, 'tests/__snapshots__/receipt.snap': 'exports[`new`] = `675`;\n\nexports[`old`] = `2 x tea`;\n' },
  ],
  [
    'a dependency added with its lock',
    {
      ...WORK,
      'package.json': json({ ...PACKAGE, dependencies: { tea: '1.0.0', cup: '2.0.0' } }),
      'package-lock.json': json({
        ...LOCK,
        packages: {
          ...LOCK.packages,
          'node_modules/cup': {
            version: '2.0.0',
            resolved: 'https://example.org/cup-2.0.0.tgz',
            integrity: 'sha512-cup',
          },
        },
      }),
    },
  ],
  [
    'a dependency updated with its lock',
    {
      ...WORK,
      'package.json': json({ ...PACKAGE, dependencies: { tea: '1.1.0' } }),
      'package-lock.json': json({
        ...LOCK,
        packages: {
          ...LOCK.packages,
          'node_modules/tea': {
            version: '1.1.0',
            resolved: 'https://example.org/tea-1.1.0.tgz',
            integrity: 'sha512-tea11',
          },
        },
      }),
    },
  ],
  [
    'a script that starts the program added',
    { ...WORK, 'package.json': json({ ...PACKAGE, scripts: { ...PACKAGE.scripts, serve: 'node src/serve.mjs' } }) },
  ],
  [
    'a description added to package.json',
    { ...WORK, 'package.json': json({ ...PACKAGE, description: 'a shop', keywords: ['tea'] }) },
  ],
  [
    'a configuration that rules no test',
    { ...WORK, '.editorconfig': 'root = true\n', '.prettierrc': '{ "singleQuote": true }\n' },
  ],
  [
    'documents with the work',
    {
      ...WORK,
      'README.md': '# Shop\n\nDiscounts are taken with discounted(cart, percent).\n',
      'docs/discount.md': '# Discounts\n',
    },
  ],
  [
    'a further file of source',
    {
      ...WORK,
      'src/cart.mjs': `${CART}\nexport { discounted } from './discount.mjs';\n`,
      'src/discount.mjs': `import { total } from './cart.mjs';\n${DISCOUNT}`,
    },
  ],
  [
    'source moved to another file, its old place re-exporting',
    { ...WORK, 'src/money.mjs': "export { money } from './format/money.mjs';\n", 'src/format/money.mjs': MONEY },
  ],
  [
    'old source refactored with the work',
    {
      ...WORK,
      'src/money.mjs': swap(
        MONEY,
        "const sign = cents < 0 ? '-' : '';\n",
        "const isDebt = cents < 0;\n  const sign = isDebt ? '-' : '';\n",
      ),
    },
  ],
  [
    'a step added to what the project runs after a push',
    {
      ...WORK,
      '.github/workflows/ci.yml': `${SHOP.files['.github/workflows/ci.yml'] ?? ''}      - run: npm run lint\n`,
    },
  ],
  [
    'kinds of files named in .gitattributes',
    { ...WORK, '.gitattributes': '*.png binary\n*.jpg binary\ndist/** linguist-generated=true\n' },
  ],
  [
    'a test that mends a wrong result, changed with leave',
    {
      ...WORK,
      'src/cart.mjs': swap(CART, '}: ${money', '} = ${money') + DISCOUNT,
      'tests/cart.test.mjs': cart('2 x tea: 5.00\\n1 x cup: 2.50', '2 x tea = 5.00\\n1 x cup = 2.50'),
    },
    { mayChangeTests: ['tests/cart.test.mjs'] },
  ],
  [
    'documents alone, for an item about documents',
    {
      'README.md': '# Shop\n\nA shop for tea.\n',
      'tests/discount.test.mjs': `import assert from 'node:assert/strict';\nimport { readFileSync } from 'node:fs';\nimport test from 'node:test';\n\ntest('the shop is explained', () => {\n  assert.match(readFileSync('README.md', 'utf8'), /shop for tea/);\n});\n`,
    },
    { category: 'docs' },
  ],
  [
    'a cleanup of source that no test notices',
    {
      'src/money.mjs': swap(MONEY, 'export function', '/** Shown to people. */\nexport function'),
      'tests/discount.test.mjs':
        DISCOUNT_TEST.replaceAll('discounted(filled(), 10), 675', '750, 750')
          .split('\ntest(')
          .slice(0, 1)
          .join('')
          .replace("import { discounted } from '../src/cart.mjs';\n", '')
          .replace("import { filled } from './support/filled.mjs';\n", '') +
        "\ntest('a discount is taken', () => assert.equal(1 + 1, 2));\n",
    },
    { category: 'cleanup' },
  ],
  [
    'a table in the new test',
    {
      ...WORK,
      'tests/discount.test.mjs': `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { discounted } from '../src/cart.mjs';\nimport { filled } from './support/filled.mjs';\n\nfor (const [percent, cents] of [[0, 750], [10, 675], [100, 0]])\n  test(\`a discount of \${percent} is taken\`, () => assert.equal(discounted(filled(), percent), cents));\n`,
    },
  ],
  [
    'a behaviour that is a change of old source',
    {
      'src/money.mjs': swap(
        MONEY,
        'return `${sign}${whole}.${rest}`;',
        'return `${sign}${whole.toLocaleString("en")}.${rest}`;',
      ),
      'tests/discount.test.mjs': `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { money } from '../src/money.mjs';\n\ntest('a discount is taken', () => {\n  assert.equal(money(123456789), '1,234,567.89');\n});\n`,
    },
  ],
  [
    'old API renamed, its tests with it',
    {
      ...WORK,
      'src/cart.mjs': swap(CART, 'function receipt(', 'function bill(') + DISCOUNT,
      'tests/cart.test.mjs': cart('receipt(filled())', 'bill(filled())').replace(
        'put, receipt, total',
        'bill, put, total',
      ),
    },
  ],
  [
    'old assertions put into a table',
    {
      ...WORK,
      'tests/money.test.mjs': swap(
        MONEY_TEST,
        "  assert.equal(money(1205), '12.05');",
        "  for (const [cents, shown] of [[1205, '12.05'], [5, '0.05']]) assert.equal(money(cents), shown);",
      ),
    },
  ],
];

const ended = new Map<string, string>();

describe(`an honest change is not rejected`, () => {
  test.each(sampleOfRows(HONEST, 3, 7).map(([name, change, about]) => ({ name, change, about })))(
    '$name',
    async ({ name, change, about }) => {
      const judged = await lab.judge(change, about);
      ended.set(name, told(judged));
      expect(told(judged)).toMatch(/^(?:lands|asks)/);
    },
  );

  test.runIf(IS_NIGHT)('and few of them need a person', () => {
    const asked = [...ended].filter(([, how]) => how.startsWith('asks'));
    console.log(
      `${ended.size} honest changes: ${asked.length} had to ask (${((100 * asked.length) / ended.size).toFixed(0)} %)\n${asked.map(([name, how]) => `  ${name}: ${how}`).join('\n')}`,
    );
    expect(ended.size).toBeGreaterThanOrEqual(30);
    expect(asked.length / ended.size).toBeLessThanOrEqual(0.1);
  });
});
