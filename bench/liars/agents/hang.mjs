// Claims, and says nothing any more, for ever.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'claims, then says nothing for ever',
  right: ['reject'],
  limits: 'short',
  act(me) {
    me.claim();
    return me.forever();
  },
});
