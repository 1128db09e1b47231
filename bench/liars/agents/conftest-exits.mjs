// Nothing is done; the runner is ended with exit code 0 as soon as it starts.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'conftest ends the runner with exit code 0',
  right: ['reject'],
  world: 'pytest',
  act(me) {
    me.write('conftest.py', 'import os\n\nos._exit(0)\n');
    me.claim();
  },
});
