// A project for those who look at the page: orders of a shop, with an agent that does good work, one false claim, one test that proves nothing, and
// one session that stays at work until a file says so. Used by the tests of the page and by scripts/page-pictures.ts.
const TITLES = [
  'An order has a total',
  'A discount code lowers the total',
  'Shipping is free from 50 euros on',
  'An invoice lists every line with its tax',
  'An order can be cancelled within an hour',
  'Stock is reserved while an order is paid',
  'A customer sees the state of an order',
  'Refunds are booked against the invoice',
  'Orders can be exported as CSV',
  'A weekly report names the best sellers',
] as const;
const NAMES = ['total', 'discount', 'shipping', 'invoice', 'cancel', 'stock', 'state', 'refund', 'export', 'report'];

const test = (name: string, title: string, body: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.mjs';\n\ntest('${title.toLowerCase()}', () => {\n  ${body}\n});\n`;
const stub = (title: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n\ntest('${title.toLowerCase()}', () => assert.fail('not implemented'));\n`;

const depends: { readonly [id: number]: readonly number[] } = { 4: [1], 5: [4], 6: [5], 8: [4], 10: [9] };

export const PAGE_FILES: { readonly [path: string]: string } = {
  '.harness.yaml': `playbook: features
project: { name: orders }
agents: { default: { provider: scripted, scenario: ../scenario.json } }
environment: { init: ./init.sh, reset: ./reset.sh }
testing:
  runner: node
  feature: 'node --test {test_file}'
  full: 'node --test tests/*.test.mjs'
verification: { fix_turns: 0 }
`,
  '.gitignore': '.harness/\n',
  'features.json': `${JSON.stringify(
    {
      project: 'orders',
      features: TITLES.map((description, i) => ({
        id: i + 1,
        category: 'orders',
        description,
        test_file: `tests/${NAMES[i]}.test.mjs`,
        ...(depends[i + 1] === undefined ? {} : { depends_on: depends[i + 1] }),
        passes: false,
      })),
    },
    null,
    2,
  )}\n`,
  'claude-progress.txt': '# Progress: orders\n',
  'init.sh': '#!/bin/sh\nexit 0\n',
  'reset.sh': '#!/bin/sh\nexit 0\n',
  'README.md': '# Orders\n',
  // Stays at work until `../go` exists, and says in `../at-work-…` that it is.
  'scripts/try.mjs': `import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

writeFileSync('../at-work-' + process.argv[2], '');
while (!existsSync('../go')) await sleep(50);
`,
  'tests/shop.test.mjs': "import { test } from 'node:test';\n\ntest('the shop is open', () => {});\n",
  ...Object.fromEntries(TITLES.map((title, i) => [`tests/${NAMES[i]}.test.mjs`, stub(title)])),
};

const usage = (input: number, output: number, cost: number) => ({
  usage: { input, output, cached: Math.round(input * 0.8), cost_usd: cost },
});

const TOTAL = `/** The sum of all lines, in cents. */
export function total(lines) {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0);
}
`;
const DISCOUNT = `const CODES = new Map([['SPRING', 10], ['STAFF', 25]]);

/** The total less the discount of the code, in cents; an unknown code changes nothing. */
export function discount(total, code) {
  const percent = CODES.get(code) ?? 0;
  return total - Math.floor((total * percent) / 100);
}
`;
const SHIPPING = `const FREE_FROM = 5000;

export function shipping(total) {
  return total >= FREE_FROM ? 0 : 490;
}
`;
const INVOICE = `const TAX = 0.19;

/** One row per line, with its tax, and the sum. */
export function invoice(lines) {
  const rows = lines.map(({ name, price, count }) => {
    const net = price * count;
    return { name, net, tax: Math.round(net * TAX) };
  });
  return { rows, gross: rows.reduce((sum, { net, tax }) => sum + net + tax, 0) };
}
`;

const STATE = `export function state({ paid = false, sent = false, cancelled = false }) {
  if (cancelled) return 'cancelled';
  return sent ? 'sent' : paid ? 'paid' : 'open';
}
`;

/** The steps of the scenario. `../go`: the file that lets the last session continue. */
export const PAGE_SCENARIO = {
  schema: 1,
  sessions: [
    {
      when: { item: 1 },
      turns: [
        [
          { say: 'The order has lines with a price and a count. I write the function and its test.' },
          { write: { path: 'src/total.mjs', text: TOTAL } },
          {
            write: {
              path: 'tests/total.test.mjs',
              text: test(
                'total',
                TITLES[0],
                'assert.equal(total([{ price: 250, count: 2 }, { price: 99, count: 1 }]), 599);',
              ),
            },
          },
          { run: 'node --test tests/total.test.mjs' },
          usage(18_400, 1_900, 0.09),
          'claim',
        ],
      ],
    },
    {
      when: { item: 2, attempt: 1 },
      turns: [
        [{ say: 'The discount is done and all tests pass.' }, { run: 'ls src' }, usage(9_100, 300, 0.03), 'claim'],
      ],
    },
    {
      when: { item: 2 },
      turns: [
        [
          { say: 'The last session wrote nothing. I write the codes and their test.' },
          { write: { path: 'src/discount.mjs', text: DISCOUNT } },
          {
            write: {
              path: 'tests/discount.test.mjs',
              text: test(
                'discount',
                TITLES[1],
                "assert.equal(discount(1000, 'SPRING'), 900);\n  assert.equal(discount(999, 'STAFF'), 750);\n  assert.equal(discount(1000, 'NONE'), 1000);",
              ),
            },
          },
          { run: 'node --test tests/discount.test.mjs' },
          usage(22_700, 2_400, 0.12),
          'claim',
        ],
      ],
    },
    {
      when: { item: 3 },
      turns: [
        [
          { say: 'Shipping depends on the total alone.' },
          { write: { path: 'src/shipping.mjs', text: SHIPPING } },
          { write: { path: 'tests/shipping.test.mjs', text: test('shipping', TITLES[2], 'assert.ok(shipping);') } },
          { run: 'node --test tests/shipping.test.mjs' },
          usage(15_200, 1_100, 0.07),
          'claim',
        ],
      ],
    },
    {
      when: { item: 4 },
      turns: [
        [
          { say: 'An invoice has a row for each line. I look at the total first, since both use the same lines.' },
          { run: 'cat src/total.mjs' },
          { run: "grep -rn 'price' src tests" },
          { write: { path: 'src/invoice.mjs', text: INVOICE } },
          {
            say: 'Tax is rounded per line, as the tax office wants it. Now the test, with a line whose tax has to be rounded.',
          },
          {
            write: {
              path: 'tests/invoice.test.mjs',
              text: test(
                'invoice',
                TITLES[3],
                "const { rows, gross } = invoice([{ name: 'pen', price: 105, count: 1 }, { name: 'ink', price: 200, count: 2 }]);\n  assert.deepEqual(rows.map(({ tax }) => tax), [20, 76]);\n  assert.equal(gross, 601);",
              ),
            },
          },
          { run: 'node scripts/try.mjs invoice --lines 200' },
          usage(26_900, 3_200, 0.15),
          'claim',
        ],
      ],
    },
    {
      when: { item: 7 },
      turns: [
        [
          { say: 'The state of an order is one of five words. I look at what the other parts already store.' },
          { run: "grep -rn 'export' src" },
          { write: { path: 'src/state.mjs', text: STATE } },
          {
            write: {
              path: 'tests/state.test.mjs',
              text: test(
                'state',
                TITLES[6],
                "assert.equal(state({}), 'open');\n  assert.equal(state({ paid: true }), 'paid');\n  assert.equal(state({ paid: true, sent: true }), 'sent');",
              ),
            },
          },
          { run: 'node --test tests/state.test.mjs' },
          { say: 'It holds. One more look with many orders before I hand it in.' },
          { run: 'node scripts/try.mjs state --orders 1000' },
          usage(21_300, 2_000, 0.11),
          'claim',
        ],
      ],
    },
    { when: {}, turns: [[{ say: 'Nothing to do for {{ITEM}}.' }]] },
  ],
} as const;
