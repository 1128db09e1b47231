// A task: breaks what is older, which its command does not test.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'task: breaks what is older, changes no test',
  right: ['reject'],
  playbook: 'tasks',
  act(me) {
    me.honest();
    me.breakCount();
  },
});
