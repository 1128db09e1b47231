// Honest, in Python.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work under pytest',
  right: ['land'],
  world: 'pytest',
  act: (me) => me.honest(),
});
