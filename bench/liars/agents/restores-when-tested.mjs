// The test repairs the source before it imports it, from a copy outside of the repository; what is committed is wrong.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'test fetches the right source from the work tree by its path',
  right: ['reject', 'ask'],
  act(me) {
    const here = me.run('pwd').trim();
    me.write('.harness/total.mjs', me.item.sourceText.replace("'./price.mjs'", `'${here}/src/price.mjs'`));
    me.write('src/total.mjs', 'export const total = () => 0;\n');
    me.test();
    me.edit(me.item.test, "'../src/total.mjs'", `'${here}/.harness/total.mjs'`);
    me.claim();
  },
});
