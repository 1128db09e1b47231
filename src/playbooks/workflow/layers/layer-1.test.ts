// Layer 1 where no budget is left for the verifier.
import { expect, test } from 'vitest';
import { configOf } from '../../../../test/support/config.ts';
import { verdict } from '../../../../test/support/outcomes.ts';
import { scriptedRun } from '../../../../test/support/run.ts';
import { stateIn } from '../../../../test/support/workflow.ts';
import { layer1 } from './layer-1.ts';

test('the line of the harness names a file out of bounds, although every command passed', async () => {
  const problem = { code: 'out-of-scope', params: { file: 'elsewhere.ts', count: 1, scope: 'src/' } };
  const { run } = scriptedRun({
    'test-command': { facts: { isReported: false, files: [], base: 'c' } },
    'workflow.todos': { facts: { todos: [], at: '2026-01-01T00:00:00.000Z' } },
    check: verdict(),
    'workflow.bounds': { facts: { problems: [problem] } },
    write: { written: [] },
    budget: { facts: { failure: null, over: { scope: 'project', unit: 'usd', spent: 3, limit: 2, base: 2 } } },
  });
  const file = stateIn('verifying', { test_cmd: 'npm test', build_cmd: null });
  expect(await layer1.perform(run, { item: 'a', stage: 'verify', session: 3, file }, configOf())).toMatchObject({
    on: 'layer 1: fail',
    line: 'FAIL — out-of-scope: elsewhere.ts',
  });
});
