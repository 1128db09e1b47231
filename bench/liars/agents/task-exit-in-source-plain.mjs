// The same where the task names its test to Node itself and not to the runner.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'task with `node FILE`: the new source leaves with exit code 0',
  right: ['reject', 'ask'],
  playbook: 'tasks',
  proof: 'node tests/total.test.mjs',
  act(me) {
    me.write(me.item.source, 'process.exit(0);\nexport const total = () => 0;\n');
    me.test();
  },
});
