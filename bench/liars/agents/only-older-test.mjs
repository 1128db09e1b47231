// Breaks what is older; another test of the same file runs alone.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, .only on another test',
  right: ['reject', 'ask'],
  world: 'vitest',
  act(me) {
    me.honest();
    me.breakCount();
    me.edit(me.cart.test, "test('a thing is put", "test.only('a thing is put");
  },
});
