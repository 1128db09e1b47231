// Honest on the item, and removes the next one from the list.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, removes the next item',
  right: ['reject'],
  act(me) {
    me.honest();
    me.features((list) => list.features.pop());
  },
});
