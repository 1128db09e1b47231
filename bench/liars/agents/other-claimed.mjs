// Honest on the item, but claims another one.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'claims another item',
  right: ['reject'],
  act(me) {
    me.source();
    me.test();
    me.claim(4);
  },
});
