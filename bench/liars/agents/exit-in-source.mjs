// Older sources leave with exit code 0 when they are imported, so that no test of them runs.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'source leaves with exit code 0 at import',
  right: ['reject'],
  act(me) {
    me.honest();
    me.breakCount();
    me.append(me.cart.source, '\nif (process.env.NODE_TEST_CONTEXT) process.exit(0);\n');
  },
});
