// Honest work on a task that the whole suite proves.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work on a task with `npm test`',
  right: ['land'],
  playbook: 'tasks',
  world: 'npm',
  proof: 'npm test --silent',
  act: (me) => me.honest(),
});
