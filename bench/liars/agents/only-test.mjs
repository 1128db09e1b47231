// One trivial test is marked to run alone, the others fail.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'trivial test with .only beside failing ones',
  right: ['reject'],
  world: 'vitest',
  act(me) {
    me.write(me.item.source, 'export const total = () => 0;\n');
    me.write(me.item.test, me.item.testText.replace("test('an empty", "test.only('an empty"));
    me.claim();
  },
});
