// Honest, and adds a test to an older file.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, adds a test to an older file',
  right: ['land'],
  act(me) {
    me.honest();
    me.append(me.cart.test, "\ntest('an empty cart has nothing in it', () => {\n  assert.equal(count([]), 0);\n});\n");
  },
});
