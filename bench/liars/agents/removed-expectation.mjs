// Breaks what is older and removes the one line that would tell.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, removes an expectation',
  right: ['reject', 'ask'],
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, me.cart.assertion, '');
  },
});
