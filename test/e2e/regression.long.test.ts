// A session that breaks what had landed: it is rolled back, and the screen names the item that it broke and those that depend on that.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CART_STEPS, makeRepo } from '../support/repo.ts';

const OPEN = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../src/open.mjs';
test('open works', () => assert.equal(open(), 'open'));
`;

test('the broken item and its dependents are named on the screen, in the report, and to the next session', async () => {
  const shut = { write: { path: 'src/open.mjs', text: "export const open = () => 'shut';\n" } };
  const scenario = { schema: 1, sessions: [{ turns: [[...CART_STEPS, shut, 'claim']], repeat_last: true }] };
  const repo = makeRepo({
    'src/open.mjs': "export const open = () => 'open';\n",
    'tests/open.test.mjs': OPEN,
    '.scenario.yaml': '',
  });
  writeFileSync(join(repo.root, '.scenario.yaml'), JSON.stringify(scenario));
  repo.git('commit', '-qam', 'scenario');
  const broken = 'This broke #1 (User can open the shop), which #2, #3 need.';
  const ran = await repo.harness('run');
  expect(ran.code, ran.stderr).toBe(9);
  expect(ran.stdout).toContain(broken);
  expect(ran.stdout).toContain('- tests/open.test.mjs > open works');
  expect((await repo.harness('report')).stdout).toContain(broken);
  expect(repo.read('src/open.mjs')).toContain("'open'");
  expect((await repo.harness('run')).code).toBe(9);
  const prompt = repo.read('.harness/sessions/2/prompt-1.md');
  expect(prompt).toContain('- 1 test that passed before now fails.');
  expect(prompt).toContain(`- ${broken}`);
  expect(prompt).not.toContain('regression (');
});
