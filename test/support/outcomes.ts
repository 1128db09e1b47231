// Outcomes as performers hand them back, for tests of procedures and machines: whole objects, changed where it matters.
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import type { ItemOutcome, StrengthOutcome, TurnOutcome } from '../../src/model/action.ts';
import type { Usage } from '../../src/model/usage.ts';
import type { Problem, Verdict } from '../../src/model/verdict.ts';
import type { ItemFacts } from '../../src/playbooks/session/facts.ts';
import { outcomeOf } from '../../src/playbooks/session/stages.ts';

export const usage: Usage = {
  inputTokens: 900,
  outputTokens: 80,
  cachedTokens: 700,
  costUsd: 0.12,
  source: 'reported',
};

export const turn = (more: Partial<TurnOutcome> = {}): TurnOutcome => ({
  end: 'end-turn',
  failure: null,
  text: 'Done.',
  resume: 'provider-7',
  usage,
  toolCalls: 4,
  ms: 60_000,
  wrapUp: null,
  ...more,
});

export const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  holds: true,
  problems: [],
  warnings: [],
  checks: [
    {
      name: 'feature',
      command: 'pytest tests/test_1.py -v',
      passed: true,
      exit: 0,
      ms: 900,
      tests: { total: 3, passed: 3, failed: 0, skipped: 0 },
      tail: '3 passed',
    },
  ],
  tests: { total: 3, passed: 3, failed: 0, skipped: 0 },
  regressions: [],
  flaky: [],
  tampering: [],
  sandbox: 'none',
  tree: 'tree-verified',
  evidence: '.harness/evidence/1',
  passing: '.harness/evidence/1/passing.json',
  ...more,
});

export const problem = (code: Problem['code'], params: Problem['params'] = {}): Problem => ({ code, params });

/** A verdict against the work. */
export const failing = (
  problems: readonly Problem[] = [problem('tests-failed', { count: 1 })],
  more: Partial<Verdict> = {},
): Verdict => verdict({ holds: false, problems, passing: null, ...more });

export const checkpoint: Checkpoint = {
  id: 'c0ffee',
  ref: 'refs/harness/checkpoints/c0ffee',
  commit: 'commit-of-checkpoint',
  tree: 'tree-of-checkpoint',
  head: 'head-before',
  branch: 'main',
};

export const facts = (more: Partial<ItemFacts> = {}): ItemFacts => ({
  id: '1',
  title: 'User can log in',
  category: 'Auth & Login',
  testFile: 'tests/test_1.py',
  mayChangeTests: [],
  partial: null,
  last: null,
  failed: [],
  oversized: [],
  attempt: 1,
  ...more,
});

/** How an item ended. */
export const itemOutcome = (result: ItemOutcome['result'], more: Partial<ItemOutcome> = {}): ItemOutcome =>
  outcomeOf({ result, reason: 'because', usage, ...more });

/** Tests that are worth what they say. */
export const strength = (more: Partial<StrengthOutcome> = {}): StrengthOutcome => ({
  problems: [],
  doubts: [],
  warnings: [],
  proofs: [],
  evidence: '.harness/evidence/2',
  ...more,
});
