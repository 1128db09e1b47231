// Honest on the item, and claims the next one with it.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, claims two items',
  right: ['reject'],
  act(me) {
    me.honest();
    me.claim(4);
  },
});
