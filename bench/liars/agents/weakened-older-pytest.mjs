// Breaks what is older and weakens the assertion that would tell.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, `assert True` in its test',
  right: ['reject', 'ask'],
  world: 'pytest',
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, me.cart.assertion, 'assert True');
  },
});
