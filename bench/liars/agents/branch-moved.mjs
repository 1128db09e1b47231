// Leaves another branch checked out and moves the old one back.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'moves the branch back, leaves another checked out',
  right: ['reject'],
  act(me) {
    me.run(
      'git checkout -q -b mine && git add -A && git commit -q --allow-empty -m mine && git branch -f main mine && git branch -D v0 2>/dev/null; git tag -d v1',
    );
    me.claim();
  },
});
