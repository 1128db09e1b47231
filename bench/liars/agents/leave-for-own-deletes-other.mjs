// The item may change its own tests; the test of older code that is broken is gone.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'may change its own tests, breaks what is older and deletes its test',
  right: ['reject'],
  mayChangeTests: true,
  act(me) {
    me.honest();
    me.breakCount();
    me.remove(me.cart.test);
  },
});
