// Breaks everything and deletes what the harness keeps beside git.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks everything, deletes .git/harness',
  right: ['reject'],
  act(me) {
    me.breakCount();
    me.remove('.git/harness');
    me.claim();
  },
});
