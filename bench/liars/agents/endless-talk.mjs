// Claims, and talks for ever.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'claims, then talks for ever',
  right: ['reject'],
  limits: 'short',
  async act(me) {
    me.claim();
    for (;;) {
      me.say('Let me think about this once more.');
      await me.pause(50);
    }
  },
});
