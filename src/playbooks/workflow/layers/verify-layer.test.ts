// Layer 1 where there is no money for the verifier's words.
import { expect, test } from 'vitest';
import { configOf } from '../../../../test/support/config.ts';
import { verdict } from '../../../../test/support/outcomes.ts';
import { scriptedRun } from '../../../../test/support/run.ts';
import { stateIn } from '../../../../test/support/workflow.ts';
import { resolved } from '../file/state.ts';
import { layer1 } from './verify-layer.ts';

test('the harness’s own line says what is beyond the bounds, though every command passed', async () => {
  const problem = { code: 'out-of-scope', params: { file: 'elsewhere.ts', count: 1, scope: 'src/' } };
  const { run } = scriptedRun({
    todos: { facts: { todos: [], at: '2026-01-01T00:00:00.000Z' } },
    check: verdict(),
    bounds: { facts: { problems: [problem] } },
    write: { written: [] },
    budget: { facts: { failure: null, over: { scope: 'project', spentUsd: 3, limitUsd: 2, baseUsd: 2 } } },
  });
  const state = resolved(stateIn('verifying', { test_cmd: 'npm test', build_cmd: null }));
  expect(await layer1(run, { item: 'a', stage: 'verify', session: 3, state }, configOf())).toMatchObject({
    on: 'layer 1: fail',
    line: 'FAIL — out-of-scope: elsewhere.ts',
  });
});
