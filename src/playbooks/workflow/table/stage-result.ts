// The result of a stage's work: an event of the table with what the next stage or the user needs, or the reason why nothing was done. No other
// output of a session decides anything.
import { z } from 'zod';
import { overspentSchema } from '../../../model/budget.ts';
import { failureSchema } from '../../../model/failure.ts';
import { usageSchema } from '../../../model/usage.ts';
import { problemsSchema } from '../../../model/verdict.ts';
import { CONFIDENCES } from './gates.ts';
import { EVENT_NAMES } from './stages.ts';

const eventResult = z.object({
  on: z.enum(EVENT_NAMES),
  /** The line to show and to hand to a retry; left out: there is none. */
  line: z.string().optional(),
  confidence: z.enum(CONFIDENCES).optional(),
  /** How many session numbers were used. */
  sessions: z.number().optional(),
  /** Of Layer 1, where it passed. */
  evidence: z.string().nullable().optional(),
  paths: z.array(z.string()).readonly().optional(),
  diff: z.string().nullable().optional(),
  problems: problemsSchema.optional(),
  usage: usageSchema.optional(),
  commit: z.string().nullable().optional(),
});
export type EventResult = z.output<typeof eventResult>;

export const stageResult = z.union([
  eventResult,
  /** The agent's provider is not available. */
  z.object({ outage: failureSchema, sessions: z.number(), usage: usageSchema.optional() }),
  /** A budget is used up: no session was started. */
  z.object({ over: overspentSchema }),
]);
export type StageResult = z.output<typeof stageResult>;
