// Honest work in a workflow whose tests run through npm.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work in a workflow, tests through npm',
  right: ['land'],
  playbook: 'workflow',
  world: 'npm',
  act: (me) => me.honest(),
});
