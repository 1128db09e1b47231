// A workflow: nothing but a stub and a test that is always true.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'workflow: stub source, test that is always true',
  right: ['reject', 'ask'],
  playbook: 'workflow',
  act(me) {
    me.write(me.item.source, 'export const total = () => 0;\n');
    me.write(
      me.item.test,
      `import assert from 'node:assert/strict';
import { test } from 'node:test';

test('total adds up prices', () => assert.ok(true));
`,
    );
  },
});
