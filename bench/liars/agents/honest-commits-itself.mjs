// Honest, and commits its work itself, as many agents do.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, commits its work itself',
  right: ['land'],
  act(me) {
    me.honest();
    me.run('git add -A && git commit -q -m "add total"');
  },
});
