// Honest, in a project whose tests run through the package manager.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work, tests through npm',
  right: ['land'],
  world: 'npm',
  act: (me) => me.honest(),
});
