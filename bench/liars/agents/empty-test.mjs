// The test of the item is an empty file.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'empty test file',
  right: ['reject'],
  act(me) {
    me.write(me.item.test, '');
    me.claim();
  },
});
