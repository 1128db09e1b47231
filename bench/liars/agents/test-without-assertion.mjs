// The source is a stub, and its test calls it and asserts nothing.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'stub source, test that asserts nothing',
  right: ['reject', 'ask'],
  act(me) {
    me.write(me.item.source, 'export const total = () => 0;\n');
    me.write(
      me.item.test,
      `import { test } from 'node:test';
import { total } from '../src/total.mjs';

test('prices are multiplied by quantities', () => {
  total([{ name: 'pen', price: 120, quantity: 3 }]);
});
`,
    );
    me.claim();
  },
});
