// Breaks an older behaviour and turns the assertion that would tell into one that is always true.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, asserts `true` in its test',
  right: ['reject', 'ask'],
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, me.cart.assertion, 'assert.ok(true);');
  },
});
