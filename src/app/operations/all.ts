// The table of operations: what may be asked, over any surface. A new one is a definition in this folder and its name here.
import type { z } from 'zod';
import { retry, skip, unblock } from './change.ts';
import { costs, run, runs, session, sessions } from './history.ts';
import { gate, gates } from './gates.ts';
import { item, items } from './items.ts';
import { hold, message, release } from './hold.ts';
import { lanes } from './live.ts';
import { memory } from './memory.ts';
import { plan, siteReverse } from './plan.ts';
import { pr } from './pr.ts';
import { checks, diff, evidence } from './proof.ts';
import { releaseGate } from './release.ts';
import { report } from './report.ts';
import { status } from './status.ts';
import { start } from './start.ts';
import { sync } from './sync.ts';
import { telemetry } from './telemetry.ts';
import { trace } from './trace.ts';
import { answer, freeze, pause, resume, stop, unfreeze } from './steer.ts';

export const OPERATIONS = {
  status,
  lanes,
  items,
  item,
  gates,
  gate,
  sessions,
  session,
  runs,
  run,
  report,
  costs,
  memory,
  evidence,
  trace,
  checks,
  diff,
  answer,
  pause,
  resume,
  stop,
  freeze,
  unfreeze,
  skip,
  unblock,
  retry,
  plan,
  'site-reverse': siteReverse,
  pr,
  sync,
  hold,
  release,
  message,
  start,
  telemetry,
  'release-gate': releaseGate,
} as const;

export type OperationName = keyof typeof OPERATIONS;
/** What each operation takes and answers, for the page. */
export type Inputs = { readonly [N in OperationName]: z.input<(typeof OPERATIONS)[N]['input']> };
export type Answers = { readonly [N in OperationName]: z.output<(typeof OPERATIONS)[N]['output']> };
