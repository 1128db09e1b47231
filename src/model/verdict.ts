// The result of the harness's own checks, compared with the baseline.
import { z } from 'zod';
import { paramsSchema } from './failure.ts';
import { testCountsSchema } from './report.ts';

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
  'lint-errors-added',
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
  'broke-item',
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
  'git-files-edited',
  'history-rewritten',
  'branch-switched',
  'tree-changed-since-check',
  'branch-moved',
  'landing-conflict',
  'landing-in-the-way',
  'nested-repository',
  // the clean workspace
  'install-failed',
  'ignored-work',
  'files-left-out',
  'secret-in-change',
  // a session of a workflow
  'output-missing',
  'docs-path-unsafe',
  'session-gave-up',
  'verdict-void',
  'return-unread',
  'path-excluded',
  'no-path-left',
  // a review before a merge, and the merge
  'finding-open',
  'ci-failed',
  'merge-refused',
  'review-comment',
  // what a curator wrote for the memory
  'memory-section-missing',
  'memory-section-twice',
  'memory-too-long',
  // scope of a session of a workflow
  'out-of-scope',
  'too-many-files',
  // the plan of a mission
  'plan-contract-missing',
  'plan-contract-invalid',
  'plan-claim-unresolved',
  'plan-assertion-unclaimed',
  'plan-without-claims',
  'plan-without-test',
  'plan-rejected',
  // the plans of a delivery, and their acceptance criteria
  'plan-draft-missing',
  'plan-draft-invalid',
  'plan-tag-uncovered',
  'acceptance-missing',
  // a specification that is made from a site
  'site-draft-missing',
  'site-statement-unproved',
  // a session that judges the work of another
  'review-finding',
  'review-unquoted',
  'review-unclear',
  'review-unanswered',
  // the development server of pages that are looked at
  'pages-server-ended',
  'pages-server-silent',
  // answers of users at a gate
  'manual-failed',
  'said-by-person',
  // evidence
  'evidence-missing',
  'evidence-differs',
  'claim-not-made',
  'tests-not-shown',
  'tests-not-run',
  'tests-shown-too-early',
  'shown-tests-failed',
  'shown-command-not-seen',
  'shown-output-differs',
  // test strength
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
  // output of an initializer
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
  // an agent's tool call without permission: a warning
  'tool-violation',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** One reason why work is rejected. The catalogue makes the sentence; agents and people read the same one. */
export const problemSchema = z.object({
  code: z.enum(PROBLEM_CODES),
  params: paramsSchema,
  ids: z.array(z.string()).readonly().optional(),
});
export type Problem = z.output<typeof problemSchema>;
export const problemsSchema = z.array(problemSchema).readonly();

export const checkResultSchema = z.object({
  name: z.string(),
  command: z.string(),
  passed: z.boolean(),
  exit: z.number().nullable(),
  ms: z.number(),
  /** null: the runner gave no report per test, the exit code is all there is. */
  tests: testCountsSchema.nullable(),
  /** Last lines of output, at most 2,000 characters, secrets masked. */
  tail: z.string(),
});
export type CheckResult = z.output<typeof checkResultSchema>;

const testIds = z.array(z.string()).readonly();
export const verdictSchema = z.object({
  holds: z.boolean(),
  problems: problemsSchema,
  /** They did not decide the verdict: lint after the session. */
  warnings: problemsSchema,
  checks: z.array(checkResultSchema).readonly(),
  /** Of the largest run with a report; null: none had one. */
  tests: testCountsSchema.nullable(),
  regressions: testIds,
  flaky: testIds,
  tampering: problemsSchema,
  /** The level of the sandbox that the checks ran in. */
  sandbox: z.string(),
  /** Git tree id of exactly what was checked. */
  tree: z.string(),
  /** Repository-relative folder or private path with commands, outputs, reports and hashes. */
  evidence: z.string().nullable(),
  /** Where the ids that passed are kept for the next baseline; null without a report per test. */
  passing: z.string().nullable(),
});
export type Verdict = z.output<typeof verdictSchema>;
