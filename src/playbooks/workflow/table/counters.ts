// What the machine keeps in its position because state.json has no room for it: the style and step of this run, counters, the last results.
import { z } from 'zod';
import { proofSummarySchema } from '../../../model/proof.ts';
import { problemsSchema } from '../../../model/verdict.ts';
import { NO_USAGE, usageSchema } from '../../../model/usage.ts';
import { CONFIDENCES, GATES } from './gates.ts';
import { RUN_STYLES, STEPS, type NamedStep, type RunStyle } from '../file/run-options.ts';

/** Lost with the journal: then the resume table decides by the file alone. */
export const countersSchema = z.object({
  /** The style of this run; a named step has its own, whatever the file says. */
  style: z.enum(RUN_STYLES),
  only: z.enum(STEPS).nullable(),
  /** Transitions taken: a key made with it is used once. */
  visits: z.number(),
  /** How often the sessions of this stage were repeated. */
  tries: z.number(),
  scans: z.number(),
  revisions: z.number(),
  /** The last line that a session or a check returned. */
  line: z.string(),
  confidence: z.enum(CONFIDENCES),
  /** The answer at the commit gate. */
  finish: z.enum(GATES.commit.options).nullable(),
  /** Why the table stopped; '' before that. */
  why: z.string(),
  /** The number of the next session. */
  session: z.number(),
  /** The number of the last session that wrote code; 0: none so far. */
  built: z.number(),
  /** What the user wants changed in the spec; '': nothing. */
  note: z.string(),
  /** The layer whose report the next retry is given. */
  failed: z.union([z.literal(1), z.literal(2)]),
  /** The diff that the user was shown; null: none was, or the journal was lost since. */
  diff: z.string().nullable(),
  /** Files that the proposed patch would change. */
  paths: z.array(z.string()).readonly(),
  /** Of the last Layer 1 that passed; null: none has. */
  evidence: z.string().nullable(),
  /** Why the proposed patch was not applied, for the question that follows; left out: none was refused. */
  refused: z.object({ why: z.string(), path: z.string() }).optional(),
  /** What the last Layer 1 that passed proves; null or left out: none has. */
  proved: z.object({ proof: proofSummarySchema, doubts: problemsSchema, tree: z.string() }).nullable().optional(),
  /** The commit whose passing tests are the baseline; left out: none was taken. */
  baseline: z.string().optional(),
  /** Of all sessions so far. */
  usage: usageSchema,
  /** The user accepted work that did not pass. */
  isAccepted: z.boolean(),
  /** The last evaluation was void: there is no report of it. */
  isVoid: z.boolean().default(false),
  /** The run ends after the work under way. */
  paused: z.boolean(),
  /** How many budgets the user raised. */
  raises: z.number(),
});
export type Counters = z.output<typeof countersSchema>;

export const newCounters = (style: RunStyle, only: NamedStep | null = null): Counters => ({
  style,
  only,
  visits: 0,
  tries: 0,
  scans: 0,
  revisions: 0,
  line: '',
  confidence: 'Unknown',
  finish: null,
  why: '',
  session: 1,
  built: 0,
  note: '',
  failed: 1,
  diff: null,
  paths: [],
  evidence: null,
  usage: NO_USAGE,
  isAccepted: false,
  isVoid: false,
  paused: false,
  raises: 0,
});
