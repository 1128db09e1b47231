// The machine of session 0.
//
//   checkpoint ─▶ work ─┬─ valid ─▶ settle ─▶ ended: landed
//                       └─ else ──▶ undo ───▶ ended: rejected, failed, blocked
import { z } from 'zod';
import type { Drivable } from '../../engine/drivable.ts';
import type { Machine, State } from '../../engine/types.ts';
import { checkpointSchema, itemOutcomeSchema, type Actions } from '../../model/action.ts';
import { unreachable } from '../../model/bug.ts';
import { failureSchema } from '../../model/failure.ts';
import { problemsSchema } from '../../model/verdict.ts';
import { sessionStateSchema, type SessionStateFile } from '../session/session-state.ts';
import { endedStage, go, outcomeOf, procedureStages, sessionMachine } from '../session/stages.ts';
import { specSchema } from './briefs.ts';
import { initialise, prepareInit, settle, undo } from './initialise.ts';

type Spec = z.output<typeof specSchema>;
const begun = z.object({ checkpoint: checkpointSchema, startedAt: z.string() });
const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('checkpoint') }),
    /** The spec as it was: it may be edited before an interrupted session 0 continues. */
    begun.extend({ stage: z.literal('work'), spec: specSchema }),
    begun.extend({ stage: z.literal('settle'), endedAt: z.string() }),
    z.object({
      stage: z.literal('undo'),
      checkpoint: checkpointSchema,
      why: z.object({ reason: z.string(), problems: problemsSchema, failure: failureSchema.nullable() }),
    }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({}),
});
type Position = z.output<typeof positionSchema>;
type S = State<SessionStateFile, Position['at'], Position['mem']>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();

export function initMachine(spec: Spec): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
  const undone = (
    s: S,
    checkpoint: z.output<typeof checkpointSchema>,
    why: Partial<Extract<Position['at'], { stage: 'undo' }>['why']> & { readonly reason: string },
  ): S => go(s, { stage: 'undo', checkpoint, why: { problems: [], failure: null, ...why } });
  return {
    name: 'features-init',
    version: 2,
    file: sessionStateSchema,
    position: positionSchema,
    place: () => ({ at: { stage: 'checkpoint' }, mem: {} }),
    stages: {
      checkpoint: performs('checkpoint', prepareInit, {
        input: () => ({}),
        next: (s, checkpoint, at) => go(s, { stage: 'work', checkpoint, startedAt: at, spec }),
      }),
      work: performs('work', initialise, {
        input: (s) => ({ spec: s.at.spec }),
        next(s, made, at) {
          const { checkpoint, startedAt } = s.at;
          switch (made.end) {
            case 'valid':
              return go(s, { stage: 'settle', checkpoint, startedAt, endedAt: at });
            case 'invalid':
              return undone(s, checkpoint, { reason: 'init-rejected', problems: made.problems });
            case 'agent-failed':
              return undone(s, checkpoint, { reason: made.failure.reason, failure: made.failure });
            case 'cut':
              return undone(s, checkpoint, { reason: made.why });
            default:
              return unreachable(made);
          }
        },
        lost: (s) => undone(s, s.at.checkpoint, { reason: 'session-lost' }),
      }),
      settle: performs('settle', settle, {
        input: ({ at: { startedAt, endedAt } }) => ({ startedAt, endedAt }),
        next(s, { commit, refused }, at) {
          if (commit === null)
            return undone(s, s.at.checkpoint, { reason: refused[0]?.code ?? 'refused', problems: refused });
          const file: SessionStateFile = {
            ...s.file,
            last_session: 0,
            status: 'complete',
            next_prompt: 'coding',
            timestamp: at,
          };
          const outcome = outcomeOf({ result: 'landed', reason: 'initialised', commit });
          return { ...s, file, at: { stage: 'ended', outcome } };
        },
      }),
      undo: performs('undo', undo, {
        input: ({ at: { checkpoint, why } }) => ({ checkpoint, why: why.reason }),
        next(s) {
          const { reason, problems, failure } = s.at.why;
          const result = failure?.policy === 'needs-human' ? 'blocked' : problems.length > 0 ? 'rejected' : 'failed';
          return go(s, { stage: 'ended', outcome: outcomeOf({ result, reason, problems, failure }) });
        },
      }),
      ended: endedStage(),
    },
  };
}

export const featuresInit = (spec: Spec): Drivable<Actions> => sessionMachine(initMachine(spec));
