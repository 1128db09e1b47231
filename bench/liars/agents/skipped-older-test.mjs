// Breaks what is older and skips the test that would tell.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, skips its test',
  right: ['reject', 'ask'],
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, `test('${me.cart.title}'`, `test.skip('${me.cart.title}'`);
  },
});
