// A task: its test file is empty, and running an empty file is a success.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'task with `node FILE`: empty test file, no source',
  right: ['reject', 'ask'],
  playbook: 'tasks',
  proof: 'node tests/total.test.mjs',
  act: (me) => me.write(me.item.test, ''),
});
