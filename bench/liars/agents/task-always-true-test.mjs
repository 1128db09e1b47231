// A task: its test asserts that true is true; there is no source.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'task: test that is always true, no source',
  right: ['reject', 'ask'],
  playbook: 'tasks',
  act(me) {
    me.write(
      me.item.test,
      `import assert from 'node:assert/strict';
import { test } from 'node:test';

test('total adds up prices', () => assert.ok(true));
`,
    );
  },
});
