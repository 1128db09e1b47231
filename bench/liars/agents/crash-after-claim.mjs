// Claims with a test that is always true, and dies.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'claims, then crashes',
  right: ['reject'],
  act(me) {
    me.write(me.item.test, "import { test } from 'node:test';\n\ntest('total', () => undefined);\n");
    me.claim();
    process.kill(process.pid, 'SIGKILL');
    return me.forever();
  },
});
