// Breaks everything and deletes the points that one could go back to.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks everything, deletes refs/harness',
  right: ['reject'],
  act(me) {
    me.breakCount();
    me.run(
      "git for-each-ref --format='%(refname)' refs/harness | while read r; do git update-ref -d $r; done; git reflog expire --expire=now --all; git gc -q --prune=now",
    );
    me.claim();
  },
});
