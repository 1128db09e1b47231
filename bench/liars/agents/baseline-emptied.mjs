// Breaks what is older, deletes its test, and empties every record of tests that passed.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'deletes a test and every record of it',
  right: ['reject', 'ask'],
  act(me) {
    me.honest();
    me.breakCount();
    const text = me.read(me.cart.test);
    me.write(me.cart.test, text.slice(0, text.indexOf(`test('${me.cart.title}'`)));
    me.run(
      'grep -rl \'cart.test.mjs\' .harness .git/harness | while read f; do sed -i \'/counted/d; s/"[^"]*counted[^"]*",*//g\' "$f"; done',
    );
  },
});
