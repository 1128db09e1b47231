// What `status` answers, as a schema: minimum keys of the interface; a playbook adds one of its own.
import { z } from 'zod';
import { apartSchema } from '../../model/expected-files.ts';
import { jsonSchema } from '../../model/json.ts';
import { openQuestion } from './open-questions.ts';

export const tokensShape = z.object({ input: z.number(), output: z.number(), cached: z.number() });
/** `usd` null: tokens were used and their price is unknown. */
export const costShape = z.object({ usd: z.number().nullable(), tokens: tokensShape });
const maybe = z.string().nullable();

const countsShape = z.object({
  total: z.number(),
  landed: z.number(),
  unproved: z.number(),
  pending: z.number(),
  ready: z.number(),
  active: z.number(),
  waiting: z.number(),
  blocked: z.number(),
  skipped: z.number(),
  failed: z.number(),
});

const branchShape = z.object({
  name: z.string(),
  commits: z.number().describe('that the current branch lacks'),
  behind: z.number().describe('of the current branch that it lacks: the next run begins with both'),
  merge: z.string().describe('the command that merges it'),
});

const contextShape = z.object({ used: z.number(), window: z.number(), source: z.enum(['reported', 'estimated']) });

export const laneShape = z
  .object({
    item: z.string(),
    stage: maybe.describe('of the machine of the item; null: not started yet'),
    session: z.number(),
    stuck_count: z.number(),
    since: maybe,
    stage_since: maybe,
    context: contextShape.nullable(),
    slot: z.number().describe('the number of the lane'),
    gate: maybe.describe('the open question of its item; null: none'),
    landing_place: z.number().nullable().describe('1: it lands now, or is the next; null: it does not land yet'),
    workspace: z.string().describe('the folder that its agent works in'),
  })
  .catchall(jsonSchema);

export const statusAnswer = z
  .object({
    playbook: z.string(),
    project: z.string(),
    repo: z.string(),
    set_up: z.boolean(),
    session: z.number().describe('of the active session, else of the last'),
    items: countsShape,
    lanes: z.array(laneShape).readonly().describe('sessions of a live run'),
    interrupted: z
      .array(z.object({ item: z.string(), session: z.number() }))
      .readonly()
      .describe('sessions that were interrupted or wait at a gate'),
    apart: z
      .array(apartSchema)
      .readonly()
      .optional()
      .describe('items that wait for another one (`after`), as both are expected to change `file`; left out: none'),
    run: z.object({ id: maybe, pid: z.number().nullable(), since: maybe, command: maybe }).nullable(),
    last: z.object({ session: z.number(), item: maybe, result: z.string(), reason: maybe }).nullable(),
    next: z.object({ item: maybe, prompt: z.string() }),
    cost: costShape,
    gates: z.number().describe('how many questions are open'),
    questions: z.array(openQuestion).readonly().optional().describe('the open questions, oldest first'),
    flaky: z.array(z.object({ id: z.string(), since: z.string(), expires: z.string() })).readonly(),
    uncommitted: z
      .array(z.string())
      .readonly()
      .optional()
      .describe('files that count as they are committed, and that were changed since; left out: none'),
    paused: z.boolean(),
    unpushed: z.object({ at: z.string(), reason: z.string() }).catchall(jsonSchema).nullable(),
    quota: z
      .array(z.object({ provider: z.string(), window: z.string(), used: z.number(), resets_at: maybe }))
      .readonly(),
    waiting: z.array(z.record(z.string(), jsonSchema)).readonly().describe('what a run waits for'),
    handed_off: z.object({ since: z.string(), by: z.string(), item: maybe }).nullable(),
    frozen: z.boolean(),
    health: z
      .object({ status: z.enum(['GOOD', 'FAIR', 'POOR']), overall: z.number(), session: z.number() })
      .nullable()
      .describe('by what was measured when work last landed, in `session`; null: nothing landed'),
    branch: branchShape
      .optional()
      .describe('`land: branch`: where what landed waits to be merged; left out: nothing does'),
    sessions: z.object({ count: z.number(), max: z.number().nullable(), last: maybe }).optional(),
    log: z.array(z.string()).readonly().optional(),
  })
  .catchall(jsonSchema);
export type StatusAnswer = Readonly<z.output<typeof statusAnswer>>;
