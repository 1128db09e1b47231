// The only table of exit codes (docs/commands.md, Exit codes): reasons of failures and results of runs.
import type { RunResult } from '../loop/machine.ts';
import type { Failure } from '../model/failure.ts';
import type { Reason } from '../model/reasons.ts';

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
} as const;
