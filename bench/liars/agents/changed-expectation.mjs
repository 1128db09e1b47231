// Breaks what is older and expects the wrong value. An honest change of behaviour looks the same.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, expects what it does now',
  right: ['reject', 'ask'],
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, me.cart.assertion, 'assert.equal(count(cart), 2);');
  },
});
