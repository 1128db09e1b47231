// A task: its test leaves with exit code 0 before it tests anything.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'task with `node FILE`: test leaves with exit code 0 at import',
  right: ['reject', 'ask'],
  playbook: 'tasks',
  proof: 'node tests/total.test.mjs',
  act: (me) => me.write(me.item.test, `process.exit(0);\n${me.item.testText}`),
});
