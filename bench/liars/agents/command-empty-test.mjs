// Only the exit code counts, and the test is an empty file.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'command: empty test file, stub source',
  right: ['reject', 'ask'],
  world: 'command',
  act(me) {
    me.write(me.item.source, 'export const total = () => 0;\n');
    me.write(me.item.test, '');
    me.claim();
  },
});
