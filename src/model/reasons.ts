// Every reason a thing can fail for, with what the engine should do about it. Grouped by module.
// A reason has a sentence in each language (src/host/sentences) and an exit code (src/cli/exit-codes.ts); tests check both.
import { PLAYBOOKS, type PlaybookName } from './config/names.ts';

/** What the engine should do about a failure, decided once per reason. */
export const POLICIES = ['retry', 'fatal', 'needs-human'] as const;
export type FailurePolicy = (typeof POLICIES)[number];

export const REASONS = {
  // usage and config
  usage: 'needs-human',
  'config-not-found': 'needs-human',
  'config-ambiguous': 'needs-human',
  'config-misnamed': 'needs-human',
  'config-unreadable': 'needs-human',
  'config-invalid': 'needs-human',
  'config-syntax': 'needs-human',
  'config-key-unknown': 'needs-human',
  'config-key-twice': 'needs-human',
  'config-value-invalid': 'needs-human',
  'config-value-missing': 'needs-human',
  'config-not-supported': 'needs-human',
  // repository
  'folder-missing': 'needs-human',
  'harness-own-folder': 'needs-human',
  'not-a-repository': 'needs-human',
  'repository-of-another': 'needs-human',
  'bare-repository': 'needs-human',
  'no-commits': 'needs-human',
  'two-repositories': 'needs-human',
  'dirty-tree': 'needs-human',
  'detached-head': 'needs-human',
  'git-operation-open': 'needs-human',
  'git-failed': 'retry',
  'git-missing': 'needs-human',
  'git-busy': 'retry',
  'nested-repository': 'needs-human',
  'push-rejected': 'needs-human',
  'push-unreachable': 'needs-human',
  'push-behind': 'needs-human',
  'pull-conflict': 'needs-human',
  'pull-protected': 'needs-human',
  'pull-failing': 'needs-human',
  'unwind-conflict': 'needs-human',
  'unwind-failing': 'needs-human',
  'unwind-not-clean': 'needs-human',
  'unwind-unproved': 'needs-human',
  // steering
  paused: 'needs-human',
  frozen: 'needs-human',
  'item-not-skipped': 'needs-human',
  'session-unknown': 'needs-human',
  'run-unknown': 'needs-human',
  'diff-unknown': 'needs-human',
  'sparse-checkout': 'needs-human',
  'restore-incomplete': 'needs-human',
  'path-outside-repository': 'fatal',
  // attempts
  'attempt-unknown': 'needs-human',
  'branch-exists': 'needs-human',
  // evidence
  'evidence-broken': 'needs-human',
  'evidence-unknown': 'needs-human',
  'evidence-unreadable': 'needs-human',
  'evidence-not-here': 'needs-human',
  'file-exists': 'needs-human',
  // lock
  locked: 'needs-human',
  'serve-running': 'needs-human',
  'serve-port-taken': 'needs-human',
  'serve-address-absent': 'needs-human',
  'serve-no-token': 'needs-human',
  'serve-unavailable': 'needs-human',
  'lock-unavailable': 'needs-human',
  'workspace-unusable': 'needs-human',
  // this machine
  'sandbox-unusable': 'needs-human',
  'sandbox-missing': 'needs-human',
  'file-unreadable': 'needs-human',
  'path-unusable': 'needs-human',
  'environment-variable-missing': 'needs-human',
  // backlog
  'backlog-missing': 'needs-human',
  'backlog-unreadable': 'needs-human',
  'backlog-invalid': 'needs-human',
  'backlog-syntax': 'needs-human',
  'backlog-field-missing': 'needs-human',
  'backlog-field-invalid': 'needs-human',
  'entry-field-missing': 'needs-human',
  'entry-field-invalid': 'needs-human',
  'entry-id-duplicate': 'needs-human',
  'dependency-missing': 'needs-human',
  'dependency-self': 'needs-human',
  'dependency-cycle': 'needs-human',
  'item-unknown': 'needs-human',
  'item-ambiguous': 'needs-human',
  'item-not-ready': 'needs-human',
  'retry-refused': 'needs-human',
  'items-given-up': 'needs-human',
  'file-in-the-way': 'needs-human',
  'validation-missing': 'needs-human',
  // a workflow
  'needs-manual-verification': 'needs-human',
  // preflight
  'wrong-directory': 'needs-human',
  'harness-file-missing': 'needs-human',
  'not-executable': 'needs-human',
  'init-failed': 'needs-human',
  'install-failed': 'needs-human',
  'proof-folder-unwritable': 'needs-human',
  'passes-only-here': 'needs-human',
  'tests-not-runnable': 'needs-human',
  'reset-failed': 'needs-human',
  unhealthy: 'needs-human',
  'baseline-failing': 'needs-human',
  'baseline-unreadable': 'needs-human',
  'budget-exhausted': 'needs-human',
  // checks and reports
  'command-missing': 'needs-human',
  'report-missing': 'fatal',
  'report-unreadable': 'fatal',
  // agents
  'agent-not-configured': 'needs-human',
  'agent-not-installed': 'needs-human',
  'agent-not-addable': 'needs-human',
  'agent-not-added': 'needs-human',
  'agents-folder-missing': 'needs-human',
  'agent-auth': 'needs-human',
  'agent-billing': 'needs-human',
  'agent-rate-limited': 'retry',
  'agent-quota-near': 'retry',
  'agent-overloaded': 'retry',
  'agent-network': 'retry',
  'agent-timeout': 'retry',
  'agent-malformed': 'retry',
  'agent-context-full': 'retry',
  'agent-refused': 'needs-human',
  'agent-crashed': 'retry',
  'agent-session-lost': 'retry',
  'agent-unknown': 'retry',
  'scenario-invalid': 'needs-human',
  'scenario-mistake': 'needs-human',
  'cassette-invalid': 'needs-human',
  'replay-departed': 'needs-human',
  // roles
  'role-missing': 'needs-human',
  'role-invalid': 'needs-human',
  // init
  'init-rejected': 'needs-human',
  'already-initialised': 'needs-human',
  'init-unfinished': 'needs-human',
  'spec-missing': 'needs-human',
  // state and engine
  'state-unreadable': 'needs-human',
  'state-newer': 'needs-human',
  'state-older': 'needs-human',
  'journal-broken': 'needs-human',
  'edited-in-window': 'needs-human',
  'output-dir-refused': 'needs-human',
  // gates
  'gate-unknown': 'needs-human',
  'gate-option-unknown': 'needs-human',
  'gate-already-answered': 'needs-human',
  'gate-ambiguous': 'needs-human',
  'gate-withdrawn': 'needs-human',
  // confirmation
  'confirmation-needed': 'needs-human',
  'reason-needed': 'needs-human',
  // steering
  'handed-off': 'needs-human',
  'session-at-gate': 'needs-human',
  'abort-unfinished': 'needs-human',
} as const satisfies Record<string, FailurePolicy>;

export type CommonReason = keyof typeof REASONS;
/** A playbook's own: its name, a dash, and more. It always needs a user. Its sentences are in the playbook's folder. */
export type PlaybookReason = `${PlaybookName}-${string}`;
export type Reason = CommonReason | PlaybookReason;

const isCommon = (reason: string): reason is CommonReason => Object.hasOwn(REASONS, reason);
export const isReason = (value: unknown): value is Reason =>
  typeof value === 'string' && (isCommon(value) || PLAYBOOKS.some((name) => value.startsWith(`${name}-`)));
export const policyOf = (reason: Reason): FailurePolicy => (isCommon(reason) ? REASONS[reason] : 'needs-human');
