// Honest work in a workflow.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work in a workflow',
  right: ['land'],
  playbook: 'workflow',
  act: (me) => me.honest(),
});
