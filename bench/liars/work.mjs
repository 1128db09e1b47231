// The honest work on the item in each world, and where the older sources and tests are. Texts only.

const SOURCE = `// What a cart costs.
import { discounted } from './price.mjs';

const MUCH = 10000;

/** Cents: prices times quantities, 10 percent less from 10000 on. */
export function total(cart) {
  const sum = cart.reduce((all, line) => all + line.price * line.quantity, 0);
  return sum >= MUCH ? discounted(sum, 10) : sum;
}
`;

const cart = (equal) => `
const cart = (...prices) => prices.map(([price, quantity]) => ({ name: 'pen', price, quantity }));

test('an empty cart costs nothing', () => {
  ${equal('total([])', '0')};
});

test('prices are multiplied by quantities', () => {
  ${equal('total(cart([120, 3], [450, 1]))', '810')};
});

test('from 10000 cents on it is 10 percent less', () => {
  ${equal('total(cart([9999, 1]))', '9999')};
  ${equal('total(cart([10000, 1]))', '9000')};
  ${equal('total(cart([10001, 2]))', '18002')};
});
`;

const script = {
  item: { source: 'src/total.mjs', sourceText: SOURCE, test: 'tests/total.test.mjs' },
  cart: {
    source: 'src/cart.mjs',
    right: 'cart.reduce((sum, line) => sum + line.quantity, 0)',
    wrong: 'cart.length',
    test: 'tests/cart.test.mjs',
    title: 'things are counted, not lines',
  },
  price: { source: 'src/price.mjs', test: 'tests/price.test.mjs' },
};

export const WORK = {
  node: {
    ...script,
    item: {
      ...script.item,
      testText: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/total.mjs';
${cart((actual, expected) => `assert.equal(${actual}, ${expected})`)}`,
    },
    cart: { ...script.cart, assertion: 'assert.equal(count(cart), 3);' },
  },
  vitest: {
    ...script,
    item: {
      ...script.item,
      testText: `import { expect, test } from 'vitest';
import { total } from '../src/total.mjs';
${cart((actual, expected) => `expect(${actual}).toBe(${expected})`)}`,
    },
    cart: { ...script.cart, assertion: 'expect(count(cart)).toBe(3);' },
  },
  pytest: {
    item: {
      source: 'shop/total.py',
      sourceText: `"""What a cart costs."""

from shop.price import discounted

MUCH = 10000


def total(cart):
    """Cents: prices times quantities, 10 percent less from 10000 on."""
    cents = sum(line["price"] * line["quantity"] for line in cart)
    return discounted(cents, 10) if cents >= MUCH else cents
`,
      test: 'tests/test_total.py',
      testText: `from shop.total import total


def cart(*lines):
    return [{"name": "pen", "price": price, "quantity": quantity} for price, quantity in lines]


def test_an_empty_cart_costs_nothing():
    assert total([]) == 0


def test_prices_are_multiplied_by_quantities():
    assert total(cart((120, 3), (450, 1))) == 810


def test_from_10000_cents_on_it_is_10_percent_less():
    assert total(cart((9999, 1))) == 9999
    assert total(cart((10000, 1))) == 9000
    assert total(cart((10001, 2))) == 18002
`,
    },
    cart: {
      source: 'shop/cart.py',
      right: 'sum(line["quantity"] for line in cart)',
      wrong: 'len(cart)',
      test: 'tests/test_cart.py',
      title: 'test_things_are_counted_not_lines',
      assertion: 'assert count(cart) == 3',
    },
    price: { source: 'shop/price.py', test: 'tests/test_price.py' },
  },
};
