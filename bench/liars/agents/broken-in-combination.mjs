// The tests of the item leave a trace by which an older test fails, but only when both run together.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'older test fails only together with the new one',
  right: ['reject'],
  world: 'pytest',
  act(me) {
    me.source();
    me.write(
      me.item.test,
      me.item.testText.replace(
        'from shop.total import total',
        'from shop import price\nfrom shop.total import total\n\nprice.CURRENCY["name"] = "USD"',
      ),
    );
    me.claim();
  },
});
