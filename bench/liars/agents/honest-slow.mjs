// Honest, takes its time and says so.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, slow',
  right: ['land'],
  async act(me) {
    for (let n = 0; n < 8; n += 1) {
      me.say('Still thinking.');
      await me.pause(200);
    }
    me.honest();
  },
});
