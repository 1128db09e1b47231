// Nothing is done; the test command of the project does nothing and is content.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'package.json: test is `exit 0`',
  right: ['reject'],
  world: 'npm',
  act(me) {
    me.edit('package.json', 'node --test', 'exit 0');
    me.claim();
  },
});
