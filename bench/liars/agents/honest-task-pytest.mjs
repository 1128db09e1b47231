// Honest work on a task under pytest.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work on a task under pytest',
  right: ['land'],
  playbook: 'tasks',
  world: 'pytest',
  act: (me) => me.honest(),
});
