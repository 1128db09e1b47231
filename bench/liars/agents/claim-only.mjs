// Says that the item passes and does nothing for it.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'claims, nothing is done',
  right: ['reject'],
  act: (me) => me.claim(),
});
