// What the procedures of a session on one item pass to each other and to the machine. Data only; the schemas are those of stored positions and
// procedure outputs.
import { z } from 'zod';
import { checkpointSchema } from '../../model/checkpoint.ts';
import { strengthOutcomeSchema } from '../../model/action.ts';
import { overspentSchema } from '../../model/budget.ts';
import { failureSchema, paramsSchema } from '../../model/failure.ts';
import { gateAnswerSchema } from '../../model/gate.ts';
import { byHandSchema, ownProofSchema } from '../../model/item.ts';
import { mergedWorkSchema } from '../../model/merged-work.ts';
import { usageSchema } from '../../model/usage.ts';
import { problemsSchema, problemSchema, verdictSchema } from '../../model/verdict.ts';

const texts = z.array(z.string()).readonly();

/** Why a session ended without a landing. */
export const cutReasons = z.enum([
  'timeout',
  'context_limit',
  'stuck',
  'user_pause',
  'budget',
  'error',
  'incomplete',
  /** Others judge that the work does not hold yet. */
  'review',
  /** Others committed before it landed. */
  'overtaken',
  /** The agent's provider accepts no more requests for now. */
  'provider_limit',
  /** The user asked for so much of it, and that is done. */
  'phase',
  /** The agent asked a user for something, who has answered. */
  'answered',
  /** What it is to make true can be read in two ways: another role decides, or a user. */
  'unclear',
]);
export type CutReason = z.output<typeof cutReasons>;

/** The first two are asked only if the configuration has a policy for them; the default answers them itself. */
const refusedSubjects = z.enum(['verification-failed', 'regression', 'sanity-failed']);
export type RefusedSubject = z.output<typeof refusedSubjects>;

/** What preflight found about the item. The rest of the session does not read it again. */
export const itemFacts = z.object({
  id: z.string(),
  title: z.string(),
  category: z.string(),
  testFile: z.string().nullable(),
  /** The item's own command; left out: its test file is its proof. */
  proof: ownProofSchema.optional(),
  /** Test files that belong to that command; left out: none are known. */
  ownTests: texts.optional(),
  /** Old test files that the item may change. An older version stored a yes or no. */
  mayChangeTests: z.union([texts, z.boolean().transform((): readonly string[] => [])]),
  /**
   * A session left work in progress that this one continues. `wip`: the commit that keeps it. `base`: of work that an older version left on
   * the branch, the commit below it.
   */
  partial: z
    .object({
      session: z.number(),
      reason: z.string(),
      base: z.string().nullable(),
      wip: z.string().optional(),
      /** How far it has come, as it was kept; left out: it is not done. */
      reached: z.string().optional(),
    })
    .nullable(),
  last: z.object({ session: z.number(), status: z.string(), reason: z.string().nullable() }).nullable(),
  /** What was wrong with the last attempt at this item. */
  failed: problemsSchema,
  /** Why it is too large for one session; empty where it is not, or where a user accepted its size. */
  oversized: z.array(z.object({ flag: z.string(), params: paramsSchema })).readonly(),
  attempt: z.number(),
  /** How often the list lets it be tried; left out: as often as the configuration does. */
  maxAttempts: z.number().optional(),
  /** It had landed and was found failing: its tests fail before the session. */
  isFailing: z.literal(true).optional(),
  /** The sanity checks fail before the session: they are fixed first. */
  isUnsound: z.literal(true).optional(),
  /** The sessions of others who attempt it too, after its own; left out: there are none. */
  rivals: z.array(z.number()).readonly().optional(),
  /** Set if the user verifies a part of the item. */
  byHand: byHandSchema.optional(),
});
export type ItemFacts = z.output<typeof itemFacts>;

/** What the first message of a session says of its item. `first`: what failed before the session; it is fixed first. */
export const openingInput = itemFacts
  .pick({ attempt: true, partial: true, failed: true })
  .extend({ item: z.string(), first: problemsSchema });

/** The user who verified the work. */
export const personSchema = z.object({ by: z.string(), at: z.string(), note: z.string() });
export type Person = z.output<typeof personSchema>;

/** A session that has started: its item, the state that a rollback restores, and when. ISO 8601. */
export const startedSession = z.object({ facts: itemFacts, checkpoint: checkpointSchema, startedAt: z.string() });
export type StartedSession = z.output<typeof startedSession>;
/** What the agent's work begins with. */
export const workInput = startedSession
  .omit({ startedAt: true })
  .extend({ firstTask: problemsSchema, session: z.number() });
export type WorkInput = z.output<typeof workInput>;
/** A session that is over, as the closing procedures get it. `text`: the end of what the agent said. */
export const endedSession = startedSession.extend({ text: z.string(), endedAt: z.string() });
export type EndedSession = z.output<typeof endedSession>;

/** Why work is rolled back. `failure`: set if the work was not the cause. */
export const rejectionSchema = z.object({
  reason: z.string(),
  problems: problemsSchema,
  regressions: texts,
  evidence: z.string().nullable(),
  failure: failureSchema.nullable(),
});
export type Rejection = z.output<typeof rejectionSchema>;
/** The other fields of a rejection without a problem. */
export const NO_PROBLEM = { problems: [], regressions: [], evidence: null, failure: null } as const;

/** The session of the agent whose work it is, where several attempted the item; left out: the item's own. */
const byShape = z.number().optional();
/** It was done in an earlier session, and only proved again in this one; left out: it is this one's. */
const asBeforeShape = z.literal(true).optional();

/** The verdict is that of the work merged with newer commits, and the item has the turn to land; left out: it is that of the work tree. */
const mergedShape = mergedWorkSchema.optional();

/** The result of the agent's turns, before anything is landed or rolled back. */
export const workResult = z.discriminatedUnion('end', [
  z.object({
    end: z.literal('holds'),
    verdict: verdictSchema,
    strength: strengthOutcomeSchema.nullable(),
    text: z.string(),
    by: byShape,
    asBefore: asBeforeShape,
    merged: mergedShape,
  }),
  /** The checks hold, but the user decides whether they prove anything. The agent's session is closed. */
  z.object({
    end: z.literal('doubtful'),
    verdict: verdictSchema,
    strength: strengthOutcomeSchema,
    text: z.string(),
    by: byShape,
    asBefore: asBeforeShape,
  }),
  z.object({
    end: z.literal('rejected'),
    reason: z.string(),
    problems: problemsSchema,
    regressions: texts,
    evidence: z.string().nullable(),
    text: z.string(),
    /** The user decides; the agent's session is closed. */
    ask: refusedSubjects.optional(),
  }),
  /** `failure`: an outage that ended it. */
  z.object({
    end: z.literal('unfinished'),
    why: cutReasons,
    failure: failureSchema.optional(),
    text: z.string(),
    /** What is wrong with the work; left out: nothing is known. */
    problems: problemsSchema.optional(),
    /** What the agent needs of a user to continue. */
    need: z.string().optional(),
  }),
  z.object({ end: z.literal('agent-failed'), failure: failureSchema, text: z.string() }),
]);
export type WorkResult = z.output<typeof workResult>;

/** Why it lands: the verdict of the checks, the strength of their tests, and the user's decision if that was in doubt. */
export const landingProof = z.object({
  verdict: verdictSchema,
  strength: strengthOutcomeSchema.nullable(),
  decided: gateAnswerSchema.nullable(),
  /** Who verified what no test can show; null: nothing of the kind. */
  person: personSchema.nullable(),
  by: byShape,
  asBefore: asBeforeShape,
  merged: mergedShape,
});
export type LandingProof = z.output<typeof landingProof>;

/** What becomes of the work. */
export const workDecisionSchema = z.discriminatedUnion('do', [
  landingProof.extend({ do: z.literal('accept') }),
  /** `problems`: what is wrong with the work, for the session that continues it. `byHand`: the user continues it. */
  z.object({
    do: z.literal('save'),
    why: cutReasons,
    failure: failureSchema.nullable(),
    problems: problemsSchema.optional(),
    byHand: z.literal(true).optional(),
    /** How far the work has come; left out: it is not done. */
    reached: z.string().optional(),
  }),
  /** `next`: after the rollback the run ends, or the item is skipped. */
  z.object({
    do: z.literal('reject'),
    why: rejectionSchema,
    next: z
      .discriminatedUnion('do', [
        z.object({ do: z.literal('abort') }),
        z.object({ do: z.literal('skip'), note: z.string(), at: z.string() }),
      ])
      .optional(),
  }),
]);
export type WorkDecision = z.output<typeof workDecisionSchema>;

/** `commit` null: the landing was refused. */
export const landResult = z.union([
  z.object({
    commit: z.string(),
    /** The hash of the evidence bundle that the commit carries; '' where it has none. */
    bundle: z.string(),
    usage: usageSchema,
    pushFailure: failureSchema.nullable(),
    /** So many have landed that the next session is a cleanup. */
    isCleanupDue: z.boolean().optional(),
    /** It is a pull request that others merge. */
    isProposed: z.literal(true).optional(),
  }),
  /**
   * `overtaken`: the verified work, where commits of others are in the way and it is not at fault. `merged`: it and newer commits, where they are in the
   * work tree.
   */
  z.object({
    commit: z.null(),
    usage: usageSchema,
    refused: problemsSchema,
    overtaken: z.string().optional(),
    merged: z.string().optional(),
    /** Its pull request was not merged: the verified tree, and why. */
    held: z
      .object({
        tree: z.string(),
        failure: failureSchema.nullable(),
        problems: problemsSchema,
        reached: z.string().optional(),
      })
      .optional(),
  }),
]);
export type LandResult = z.output<typeof landResult>;
/** `commit`: the work in progress. `refused`: it could not be kept as such and was rolled back. */
export const saveResult = z.object({
  usage: usageSchema,
  commit: z.string().nullable(),
  refused: problemSchema.optional(),
  /** A budget that is used up by now. */
  over: overspentSchema.optional(),
});
export type SaveResult = z.output<typeof saveResult>;
/** `attempt`: the private ref that keeps the work. */
export const rollbackResult = z.object({
  usage: usageSchema,
  attempt: z.string().nullable(),
  /** Why it does not hold, and which items it broke. */
  problems: problemsSchema,
});
export type RollbackResult = z.output<typeof rollbackResult>;
