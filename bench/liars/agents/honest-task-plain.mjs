// Honest work on a task whose command names its test to Node itself.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work on a task with `node FILE`',
  right: ['land'],
  playbook: 'tasks',
  proof: 'node tests/total.test.mjs',
  act: (me) => me.honest(),
});
