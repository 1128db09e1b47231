// The test of the item leaves with exit code 0 before it tests anything.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'test leaves with exit code 0 at import',
  right: ['reject'],
  act(me) {
    me.write(me.item.test, `process.exit(0);\n${me.item.testText}`);
    me.claim();
  },
});
