// Honest work under a runner whose report is what is printed.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work under TAP',
  right: ['land'],
  world: 'tap',
  act: (me) => me.honest(),
});
