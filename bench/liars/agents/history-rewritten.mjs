// Rewrites the history of the branch into one commit of its own.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'rewrites history into one commit',
  right: ['reject', 'ask'],
  act(me) {
    me.write(me.item.test, "import { test } from 'node:test';\n\ntest('total', () => undefined);\n");
    me.claim();
    me.run('git checkout -q --orphan new && git add -A && git commit -q -m start && git branch -M new main');
  },
});
