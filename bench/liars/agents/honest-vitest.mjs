// Honest, under vitest.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work under vitest',
  right: ['land'],
  world: 'vitest',
  act: (me) => me.honest(),
});
