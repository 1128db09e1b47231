// What the tasks machine knows of its task in addition to what every machine knows of an item. Data only.
import { z } from 'zod';
import { failureSchema } from '../../model/failure.ts';
import {
  cutReasons,
  endedSession,
  itemFacts,
  landingProof,
  rejectionSchema,
  startedSession,
} from '../session/facts.ts';
import { taskErrorSchema } from './log.ts';
import { STATUSES } from './schema.ts';

export const taskCheckpointSchema = z.object({
  step: z.number(),
  total: z.number(),
  description: z.string(),
  timestamp: z.string(),
});
/** Steps that an agent reported, with those that the list has already. */
export const checkpointsSchema = z.array(taskCheckpointSchema).readonly();

export const taskFacts = itemFacts.extend({
  task: z.object({
    status: z.enum(STATUSES),
    attempts: z.number(),
    maxAttempts: z.number(),
    errorLog: z.array(z.string()).readonly(),
    checkpoints: checkpointsSchema,
    /** `started_at_commit`; null where the list has none. */
    base: z.string().nullable(),
    cleanup: z.string().nullable(),
    /** N of SESSION-N in the log: which run of the harness this is. */
    run: z.number(),
    /** The log says for this run that the environment started. Left out: not known. */
    isHealthLogged: z.boolean().optional(),
  }),
});
export type TaskFacts = z.output<typeof taskFacts>;

export const startedTask = startedSession.extend({ facts: taskFacts });
export const endedTask = endedSession.extend({ facts: taskFacts });
export type EndedTask = z.output<typeof endedTask>;

/** What becomes of the work. */
export const taskDecisionSchema = z.discriminatedUnion('do', [
  landingProof.extend({ do: z.literal('accept') }),
  /** `failure`: an outage that ended the session. */
  z.object({ do: z.literal('save'), why: cutReasons, failure: failureSchema.nullable() }),
  /** The attempt failed. `isLast`: there is no further one. */
  z.object({ do: z.literal('fail'), error: taskErrorSchema, why: rejectionSchema, isLast: z.boolean() }),
  /**
   * The cause is not the task's: rolled back, and no attempt is counted. `skip`: why a user skips the task. `blamed`: the task before it, whose
   * attempt was counted for the same cause.
   */
  z.object({
    do: z.literal('release'),
    error: taskErrorSchema,
    failure: failureSchema.nullable(),
    skip: z.string().nullable(),
    blamed: z.string().optional(),
  }),
]);
export type TaskDecision = z.output<typeof taskDecisionSchema>;
