import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

test('the configuration as it holds, checked, and broken', async () => {
  const repo = makeRepo();
  const right = await transcript(repo, ['config show', 'config check', 'config check --json']);
  repo.write('.harness.yaml', 'project: { nam: shop }\ntesting: { runner: pytest2 }\nlanes: many\n');
  const wrong = await transcript(repo, ['config check', 'config show --json', 'config chek']);
  repo.write('.harness.yaml', 'project: { name: shop }\ncontext: { window_tokens: 100000 }\n');
  const inert = await transcript(repo, ['config check']);
  repo.write('.harness.yaml', 'agents: { default: { provider: codex } }\ncosts: { per_session_usd: 2 }\n');
  const blind = await transcript(repo, ['config check', 'config check --json']);
  const seen = [right, wrong, inert, blind].join('\n');
  expect(seen).toBe(golden('config', seen));
});

test('a variable that holds a secret is never shown, and names of the person stay as they are', async () => {
  const repo = makeRepo({
    '.harness.yaml':
      'agents: { default: { provider: acp, command: [node, a.mjs], env: { API_KEY: abc, someName: plain, TOKEN: "${MY_TOKEN}" } } }\n',
  });
  const { stdout } = await repo.harness('config', 'show');
  expect(stdout).not.toContain('abc');
  expect(stdout).toMatch(/API_KEY: "\[masked:/);
  expect(stdout).toContain('someName: plain');
});

test('the schema needs no repository and is JSON', async () => {
  const { stdout, code } = await makeRepo().harness('-C', '/', 'config', 'schema');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { type: 'object', properties: { playbook: {} } }]);
});
