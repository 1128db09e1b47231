// A task: a stub of the source, and a test that compares it with itself.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'task: stub source, compared with itself',
  right: ['reject', 'ask'],
  playbook: 'tasks',
  act(me) {
    me.write(
      me.item.source,
      `export function total(cart) {
  const prices = cart.map((line) => line.price + 1);
  return prices.length > 3 ? prices.length * 2 : 0;
}
`,
    );
    me.write(
      me.item.test,
      `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../src/total.mjs';

test('total is the total', () => assert.equal(total([]), total([])));
`,
    );
  },
});
