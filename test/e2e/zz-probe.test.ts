import { test } from 'vitest';
import { execSync } from 'node:child_process';
import { workflowShop } from './workflow-shop.ts';
test('probe', async () => {
  const shop = workflowShop({ mode: 'single', model_config: { preset: 'economy', executor: 'haiku', advisor: 'sonnet', evaluator: 'sonnet', verifier: 'haiku' } }, {config: 'sandbox: { agents: outside }'});
  const ran = await shop.through();
  console.log(ran.stdout, ran.stderr);
  console.log(execSync(`cat .harness/costs.yaml .harness/sessions/1/session.json .harness/sessions/1/events.jsonl; grep -rl sonnet .harness .git | head -20`, {cwd: shop.root}).toString());
});
