// What the harness found when it looked for itself: the result of checks, compared with what held before.
import type { Params } from './failure.ts';
import type { TestCounts, TestId } from './report.ts';

/** One reason why work does not hold. The sentence is made in the catalogue; agents and people read the same one. */
export type Problem = { readonly code: ProblemCode; readonly params: Params; readonly ids?: readonly string[] };

export const PROBLEM_CODES = [
  'nothing-claimed',
  'too-many-claims',
  'wrong-claim',
  'backlog-edited',
  'backlog-unreadable',
  'item-removed',
  'item-added',
  'item-edited',
  'items-reordered',
  'decision-forged',
  'claim-withdrawn',
  'claim-taken-back',
  'check-failed',
  'check-timed-out',
  'check-output-flood',
  'command-missing',
  'no-tests-executed',
  'all-tests-skipped',
  'tests-failed',
  'report-missing',
  'report-unreadable',
  'report-incomplete',
  'exit-contradicts-report',
  'regression',
  'tests-missing',
  'tests-newly-skipped',
  'suite-newly-failing',
  // flaky tests
  'became-flaky',
  'flaky-unproved',
  'flaky-over-cap',
  'own-test-flaky',
  'test-quarantined',
  'unsteady-tests',
  'harness-file-edited',
  'config-edited',
  'history-rewritten',
  'branch-switched',
  'tree-changed-since-check',
  'nested-repository',
  // a session of a workflow
  'output-missing',
  'docs-path-unsafe',
  'session-gave-up',
  // what a session of a workflow may change
  'out-of-scope',
  'too-many-files',
  // what a person said at a gate
  'manual-failed',
  'said-by-person',
  // evidence
  'evidence-missing',
  'evidence-differs',
  'tests-not-shown',
  'tests-shown-too-early',
  'shown-tests-failed',
  'shown-command-not-seen',
  'shown-output-differs',
  // whether tests are worth what they say
  'canary-passed',
  'canary-lost',
  'failures-hidden',
  'tests-disabled',
  'test-not-red',
  'test-notices-nothing',
  'source-unchanged',
  'test-reads-text',
  'copy-differs',
  'frozen-tests-fail',
  'assertions-weakened',
  'guarded-file-changed',
  'installed-changed',
  'mutants-survived',
  // what an initializer made (F01)
  'init-backlog-missing',
  'init-backlog-invalid',
  'init-backlog-empty',
  'init-feature-too-large',
  'init-feature-passing',
  'init-script-missing',
  'init-script-not-executable',
  'init-test-missing',
  'init-progress-missing',
  'init-gitignore-missing',
  'init-lint-config-missing',
  'stub-passes',
  // what an agent did without asking, or although it was refused: a warning
  'tool-violation',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export type CheckResult = {
  readonly name: string;
  readonly command: string;
  readonly passed: boolean;
  readonly exit: number | null;
  readonly ms: number;
  /** null: the runner gave no per-test report, the exit code is all there is. */
  readonly tests: TestCounts | null;
  /** Last lines of output, at most 2,000 characters, secrets masked. */
  readonly tail: string;
};

export type Verdict = {
  readonly holds: boolean;
  readonly problems: readonly Problem[];
  /** Did not decide the verdict: lint after the session (F16). */
  readonly warnings: readonly Problem[];
  readonly checks: readonly CheckResult[];
  /** Of the widest run with a report; null without any. */
  readonly tests: TestCounts | null;
  readonly regressions: readonly TestId[];
  readonly flaky: readonly TestId[];
  readonly tampering: readonly Problem[];
  readonly sandbox: string;
  /** Git tree id of exactly what was checked. */
  readonly tree: string;
  /** Repository-relative folder or private path with commands, outputs, reports and hashes. */
  readonly evidence: string | null;
  /** Where the ids that passed are kept for the next baseline; null without a per-test report. */
  readonly passing: string | null;
};
