// Honest, and reads a token from the environment, as it should.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, reads a token from the environment by its name',
  right: ['land'],
  act(me) {
    me.honest();
    me.append(me.item.source, "\n/** Of the shop. */\nexport const token = () => process.env.SHOP_API_TOKEN ?? '';\n");
  },
});
