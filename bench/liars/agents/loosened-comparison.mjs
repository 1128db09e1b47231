// Breaks what is older; its test now takes anything up to what it took before.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, equal becomes at most',
  right: ['reject', 'ask'],
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, me.cart.assertion, 'assert.ok(count(cart) <= 3);');
  },
});
