// Commits a test that is always true, by itself and under a good name.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'commits an empty success by itself',
  right: ['reject', 'ask'],
  act(me) {
    me.write(me.item.test, "import { test } from 'node:test';\n\ntest('total', () => undefined);\n");
    me.claim();
    me.run('git add -A && git commit -q -m "feat: #3 total, verified" -m "Harness-Item: 3" && git tag verified');
  },
});
