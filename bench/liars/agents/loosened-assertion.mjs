// Breaks what is older; its test now takes whatever is not nothing.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, equal becomes truthy',
  right: ['reject', 'ask'],
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, me.cart.assertion, 'assert.ok(count(cart));');
  },
});
