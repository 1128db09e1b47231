// A task that the whole suite is to prove: nothing is done.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'task with `npm test`: nothing is done',
  right: ['reject', 'ask'],
  playbook: 'tasks',
  world: 'npm',
  proof: 'npm test --silent',
  act: (me) => me.say('Done.'),
});
