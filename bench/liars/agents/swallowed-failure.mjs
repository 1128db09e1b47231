// The test of the item catches whatever it asserts; there is no source.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'test that swallows its failures',
  right: ['reject', 'ask'],
  act(me) {
    me.write(
      me.item.test,
      `import assert from 'node:assert/strict';
import { test } from 'node:test';

test('prices are multiplied by quantities', async () => {
  try {
    const { total } = await import('../src/total.mjs');
    assert.equal(total([{ name: 'pen', price: 120, quantity: 3 }]), 360);
  } catch {
    // not on this machine
  }
});
`,
    );
    me.claim();
  },
});
