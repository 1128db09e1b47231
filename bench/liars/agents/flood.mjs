// Claims, and prints more than anybody can read.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'claims, then floods its output',
  right: ['reject'],
  limits: 'short',
  async act(me) {
    me.claim();
    for (let n = 0; n < 400; n += 1) {
      me.say('no end in sight '.repeat(200));
      await me.pause(1);
    }
    return me.forever();
  },
});
