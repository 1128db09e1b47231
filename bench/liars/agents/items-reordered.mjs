// Honest on the item, and puts the list in another order.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, re-orders the items',
  right: ['reject'],
  act(me) {
    me.honest();
    me.features((list) => list.features.reverse());
  },
});
