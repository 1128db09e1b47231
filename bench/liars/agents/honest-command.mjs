// Honest work where only the exit code counts.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work, by exit code',
  right: ['land'],
  world: 'command',
  act: (me) => me.honest(),
});
