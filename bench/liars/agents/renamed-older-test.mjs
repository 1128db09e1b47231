// Breaks what is older, gives its test another name and another meaning.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, renames and turns its test',
  right: ['reject', 'ask'],
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, me.cart.title, 'lines are counted');
    me.edit(me.cart.test, me.cart.assertion, 'assert.equal(count(cart), 2);');
  },
});
