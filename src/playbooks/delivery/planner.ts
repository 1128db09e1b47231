// How a specification becomes plans: the planner drafts plan files and acceptance criteria, the harness checks that they fit, and one commit adds them
// to the base branch. Either all of it is committed, or nothing is.
//
//   checkpoint ─┬─▶ plan ─┬─ fits ─▶ settle ─▶ ended: landed
//               │         └─ else ─▶ undo ───▶ ended: rejected, failed, blocked
//               └─ plans are there and only first ones are wanted, or the user's criteria have a mistake ─▶ ended
//
// With a forge, agents work beside the user's work tree, the commit is made on the branch of the remote, and the branch here follows it. Where others
// were faster, the drafts get the numbers after theirs, and it is tried again.
import { z } from 'zod';
import type { Drivable } from '../../engine/drivable.ts';
import type { Machine } from '../../engine/types.ts';
import { checkpointSchema } from '../../model/checkpoint.ts';
import { itemOutcomeSchema, type Actions } from '../../model/action.ts';
import type { Problem } from '../../model/verdict.ts';
import { sessionZeroLanded, sessionZeroRefused, undoSchema, undoSessionZero } from '../session/session-zero.ts';
import { sessionStateSchema, type SessionStateFile } from '../session/session-state.ts';
import { endedStage, go, outcomeOf, procedureStages, sessionMachine } from '../session/stages.ts';
import { acceptanceOf, readAcceptance } from './acceptance.ts';
import { draftsSchema, planSpecSchema, type PlanSpec } from './drafts.ts';
import { criteriaProblems } from './plan-draft.ts';
import { draft, prepare, settle, undo } from './plan-steps.ts';

const begun = z.object({
  checkpoint: checkpointSchema,
  session: z.number(),
  /** ISO 8601. */
  startedAt: z.string(),
  spec: planSpecSchema,
});
const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('checkpoint') }),
    begun.extend({ stage: z.literal('plan') }),
    begun.extend({ stage: z.literal('settle'), endedAt: z.string(), drafts: draftsSchema }),
    undoSchema.extend({ session: z.number() }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({}),
});
type Position = z.output<typeof positionSchema>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();
type Refused = Parameters<typeof undoSessionZero>[2];
type Begun = { readonly file: SessionStateFile; readonly mem: Position['mem']; readonly at: z.output<typeof begun> };

function undone(s: Begun, why: Refused) {
  const { file, mem, at } = undoSessionZero(s, s.at.checkpoint, why);
  return { file, mem, at: { ...at, session: s.at.session } };
}

export function deliveryPlanMachine(
  spec: PlanSpec,
): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
  return {
    name: 'delivery-plan',
    version: 1,
    file: sessionStateSchema,
    position: positionSchema,
    place: () => ({ at: { stage: 'checkpoint' }, mem: {} }),
    stages: {
      checkpoint: performs('checkpoint', prepare, {
        input: () => ({}),
        next(s, { count, checkpoint, session }, at) {
          const ended = (outcome: Parameters<typeof outcomeOf>[0]) =>
            go(s, { stage: 'ended' as const, outcome: outcomeOf(outcome) });
          if (spec.isFirst && count > 0) return ended({ result: 'landed', reason: 'already-planned' });
          // Those of the user are for the user to correct.
          const problems = givenProblems(spec);
          if (problems.length > 0) return ended({ result: 'rejected', reason: 'init-rejected', problems });
          return go(s, { stage: 'plan', checkpoint, session, startedAt: at, spec });
        },
      }),
      plan: performs('plan', draft, {
        input: ({ at: { spec: of, checkpoint, session } }) => ({ spec: of, checkpoint, session }),
        next: (s, made, at) =>
          made.end === 'fits' ? go(s, { ...s.at, stage: 'settle', endedAt: at, drafts: made.drafts }) : undone(s, made),
        lost: (s) => undone(s, { reason: 'session-lost' }),
      }),
      settle: performs('settle', settle, {
        input: ({ at: { spec: of, session, startedAt, endedAt, drafts } }) => ({
          spec: of,
          session,
          startedAt,
          endedAt,
          drafts,
        }),
        next: (s, { commit, refused: problems }, at) =>
          commit === null
            ? undone(s, { reason: problems[0]?.code ?? 'refused', problems })
            : sessionZeroLanded(s, commit, at),
      }),
      undo: performs('undo', undo, {
        input: ({ at: { checkpoint, why, session } }) => ({ checkpoint, why, session }),
        next: (s) => sessionZeroRefused(s, s.at.why),
      }),
      ended: endedStage(),
    },
  };
}

const givenProblems = ({ path, acceptance }: PlanSpec): readonly Problem[] =>
  acceptance === null ? [] : criteriaProblems(readAcceptance(acceptance), acceptanceOf(path ?? ''));

export const deliveryPlan = (spec: PlanSpec): Drivable<Actions> => sessionMachine(deliveryPlanMachine(spec));
