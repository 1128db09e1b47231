// Honest, wrong at first, and right when it is told what failed.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest, fixes what verification found',
  right: ['land'],
  fixTurns: 2,
  act(me) {
    me.honest();
    if (me.turn === 1) me.edit(me.item.source, 'sum >= MUCH', 'sum > MUCH');
  },
});
