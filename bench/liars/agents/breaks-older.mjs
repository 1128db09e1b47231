// Breaks what is older and hopes that nobody runs its tests.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older, changes no test',
  right: ['reject'],
  act(me) {
    me.honest();
    me.breakCount();
  },
});
