// The machine of session 0.
//
//   checkpoint ─▶ work ─┬─ valid ─▶ settle ─▶ ended: landed
//                       └─ else ──▶ undo ───▶ ended: rejected, failed, blocked
import { z } from 'zod';
import type { Drivable } from '../../engine/drivable.ts';
import type { Machine } from '../../engine/types.ts';
import { itemOutcomeSchema, type Actions } from '../../model/action.ts';
import { unreachable } from '../../model/bug.ts';
import {
  begunSchema,
  sessionZeroLanded,
  sessionZeroRefused,
  specSchema,
  undoSchema,
  undoSessionZero,
  type Spec,
} from '../session/session-zero.ts';
import { sessionStateSchema, type SessionStateFile } from '../session/session-state.ts';
import { endedStage, go, procedureStages, sessionMachine } from '../session/stages.ts';
import { initialise, prepareInit, settle, undo } from './initialise.ts';

const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('checkpoint') }),
    /** The spec as it was: it may be edited before an interrupted session 0 continues. */
    begunSchema.extend({ stage: z.literal('work'), spec: specSchema }),
    begunSchema.extend({ stage: z.literal('settle'), endedAt: z.string() }),
    undoSchema,
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({}),
});
type Position = z.output<typeof positionSchema>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();

export function initMachine(spec: Spec): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
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
              return undoSessionZero(s, checkpoint, { reason: 'init-rejected', problems: made.problems });
            case 'agent-failed':
              return undoSessionZero(s, checkpoint, { reason: made.failure.reason, failure: made.failure });
            case 'cut':
              return undoSessionZero(s, checkpoint, { reason: made.why });
            default:
              return unreachable(made);
          }
        },
        lost: (s) => undoSessionZero(s, s.at.checkpoint, { reason: 'session-lost' }),
      }),
      settle: performs('settle', settle, {
        input: ({ at: { startedAt, endedAt } }) => ({ startedAt, endedAt }),
        next(s, { commit, refused: problems }, at) {
          if (commit === null)
            return undoSessionZero(s, s.at.checkpoint, { reason: problems[0]?.code ?? 'refused', problems });
          return sessionZeroLanded(s, commit, at);
        },
      }),
      undo: performs('undo', undo, {
        input: ({ at: { checkpoint, why } }) => ({ checkpoint, why: why.reason }),
        next: (s) => sessionZeroRefused(s, s.at.why),
      }),
      ended: endedStage(),
    },
  };
}

export const featuresInit = (spec: Spec): Drivable<Actions> => sessionMachine(initMachine(spec));
