// Honest work on a task.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work on a task',
  right: ['land'],
  playbook: 'tasks',
  act: (me) => me.honest(),
});
