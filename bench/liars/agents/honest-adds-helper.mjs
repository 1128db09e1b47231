// Honest, with a helper that both the source and an older one use.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, adds a helper without dependencies',
  right: ['land'],
  act(me) {
    me.honest();
    me.write(
      'src/add-up.mjs',
      '// Adding up.\n\n/** The sum of what `of` makes of each. */\nexport const addUp = (list, of) => list.reduce((all, one) => all + of(one), 0);\n',
    );
    me.edit(
      me.item.source,
      'cart.reduce((all, line) => all + line.price * line.quantity, 0)',
      'addUp(cart, (line) => line.price * line.quantity)',
    );
    me.edit(
      me.item.source,
      "import { discounted } from './price.mjs';",
      "import { discounted } from './price.mjs';\nimport { addUp } from './add-up.mjs';",
    );
    me.edit(me.cart.source, me.cart.right, 'addUp(cart, (line) => line.quantity)');
    me.edit(me.cart.source, '// What somebody', "import { addUp } from './add-up.mjs';\n\n// What somebody");
  },
});
