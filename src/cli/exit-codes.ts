// The table of exit codes (docs/commands.md, Exit codes), by failure reason and run result.
import type { RunResult } from '../model/run.ts';
import type { Failure } from '../model/failure.ts';
import type { Gate } from '../model/gate.ts';
import type { Reason } from '../model/reasons.ts';
import { PLAYBOOKS } from '../playbooks/registry.ts';

export const EXIT = {
  done: 0,
  bug: 1,
  usage: 2,
  escalated: 3,
  notLoggedIn: 4,
  environment: 5,
  limit: 6,
  planRejected: 7,
  waiting: 8,
  verification: 9,
  paused: 10,
  schema: 11,
  interrupted: 130,
  terminated: 143,
} as const;

/** Reasons whose exit code is not `environment` (5), the default for what the user must fix first. */
const OTHERS: Partial<Record<Reason, number>> = {
  usage: EXIT.usage,
  'items-given-up': EXIT.escalated,
  'config-not-found': EXIT.usage,
  'config-ambiguous': EXIT.usage,
  'config-unreadable': EXIT.usage,
  'config-misnamed': EXIT.usage,
  'config-invalid': EXIT.usage,
  'config-syntax': EXIT.usage,
  'config-key-unknown': EXIT.usage,
  'config-key-twice': EXIT.usage,
  'config-value-invalid': EXIT.usage,
  'config-value-missing': EXIT.usage,
  'config-not-supported': EXIT.usage,
  'folder-missing': EXIT.usage,
  'harness-own-folder': EXIT.usage,
  'item-unknown': EXIT.usage,
  'item-ambiguous': EXIT.usage,
  'item-not-skipped': EXIT.usage,
  'session-unknown': EXIT.usage,
  'run-unknown': EXIT.usage,
  'diff-unknown': EXIT.usage,
  'retry-refused': EXIT.usage,
  'gate-unknown': EXIT.usage,
  'gate-option-unknown': EXIT.usage,
  'gate-ambiguous': EXIT.usage,
  'gate-already-answered': EXIT.usage,
  'gate-withdrawn': EXIT.usage,
  'attempt-unknown': EXIT.usage,
  'branch-exists': EXIT.usage,
  'evidence-unknown': EXIT.usage,
  'evidence-broken': EXIT.verification,
  'evidence-unreadable': EXIT.verification,
  'file-exists': EXIT.usage,
  'scenario-invalid': EXIT.usage,
  'scenario-mistake': EXIT.usage,
  'cassette-invalid': EXIT.usage,
  'replay-departed': EXIT.verification,
  'spec-missing': EXIT.usage,
  'confirmation-needed': EXIT.usage,
  'reason-needed': EXIT.usage,
  'agent-auth': EXIT.notLoggedIn,
  'agent-billing': EXIT.notLoggedIn,
  'forge-not-logged-in': EXIT.notLoggedIn,
  'forge-not-configured': EXIT.usage,
  'forge-address-unsafe': EXIT.usage,
  'pr-not-landed': EXIT.usage,
  'issues-off': EXIT.usage,
  'budget-exhausted': EXIT.environment,
  'site-needs-login': EXIT.notLoggedIn,
  'init-rejected': EXIT.verification,
  'plan-rejected': EXIT.planRejected,
  'state-newer': EXIT.schema,
  'state-older': EXIT.schema,
  paused: EXIT.paused,
  frozen: EXIT.paused,
  'handed-off': EXIT.paused,
  'session-at-gate': EXIT.waiting,
  'output-dir-refused': EXIT.usage,
};

const isWaiting = (reason: Reason): boolean =>
  PLAYBOOKS.some(({ waitingFor = [] }) => waitingFor.some((one) => one === reason));

const isMisuse = (reason: Reason): boolean =>
  PLAYBOOKS.some(({ misuses = [] }) => misuses.some((one) => one === reason));

export const exitOf = ({ reason }: Failure): number =>
  OTHERS[reason] ?? (isWaiting(reason) ? EXIT.waiting : isMisuse(reason) ? EXIT.usage : EXIT.environment);

const RESULTS: { readonly [R in RunResult]: number } = {
  landed: EXIT.done,
  done: EXIT.done,
  partial: EXIT.done,
  failed: EXIT.verification,
  rejected: EXIT.verification,
  gate: EXIT.waiting,
  limit: EXIT.limit,
  paused: EXIT.paused,
  blocked: EXIT.escalated,
};

/**
 * An open question exits with 8, an escalation with 3, also after a run that went well; a failure exits with its own code. `gates`: those that
 * wait.
 */
export function exitOfRun(
  result: RunResult,
  more: { readonly failure: Failure | null; readonly gates: readonly Pick<Gate, 'gate'>[] },
): number {
  const isWell = result === 'landed' || result === 'done';
  if (result === 'gate' || (isWell && more.gates.length > 0))
    return more.gates.some(({ gate }) => gate === 'escalation') ? EXIT.escalated : EXIT.waiting;
  if (result === 'blocked' && more.failure) return exitOf(more.failure);
  return RESULTS[result];
}

/** A run that a signal ended exits as a program does that the signal ended. */
export function exitOfSignal(signal: 'SIGINT' | 'SIGTERM' | null, otherwise: number): number {
  if (signal === null) return otherwise;
  return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
}
