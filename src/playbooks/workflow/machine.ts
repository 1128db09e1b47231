// The workflow machine: state.json is its file, the table of transitions is its program (transitions.ts), and each wish of the table is
// one action here.
//
//   arrive ─▶ (a stage of the table) ─▶ … ─▶ ended: landed, partial (by run style), paused, failed
//                    │        ▲
//                    │        └── raise ◀── overspent (a budget is used up)
//                    └── cut ─▶ put-away ─▶ ended: paused, partial
//
// A new life goes on where the journal says; a state.json that somebody wrote by hand is placed by the resume table (resume.ts).
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { go, outcomeOf, positionAt } from '../session/rows.ts';
import { freshMem, type Mem } from './table/mem.ts';
import { NO_FILE, POSITIONS, type At, type S } from './positions.ts';
import { around } from './around.ts';
import { styleOf } from './table/resume.ts';
import { isSent, stages } from './stage-rows.ts';
import { isV1, workflowFileSchema, type WorkflowFile } from './file/state.ts';

export function workflowMachine(input: ItemInput): Machine<WorkflowFile, At, Mem, Actions> {
  const { step, style } = input.config.workflow;
  return {
    name: 'workflow',
    version: 1,
    file: workflowFileSchema,
    gone: NO_FILE,
    position: positionAt(POSITIONS),
    place: (file) => ({
      at: { stage: 'arrive' },
      mem: { ...freshMem(isV1(file) ? 'auto' : (style ?? styleOf(file, step)), step), session: input.session },
    }),
    on: heard,
    stages: { ...stages(input), ...around(input) },
  };
}

/**
 * Who asks for a pause is heard at once where agents work, else as soon as what is under way is done. A question that is open waits: it is
 * the same in the next life, which was not asked to pause.
 */
function heard(s: S, event: External): S {
  if (event.type === 'life-started') return s.mem.paused ? { ...s, mem: { ...s.mem, paused: false } } : s;
  if (event.type !== 'pause') return s;
  const paused: S = { ...s, mem: { ...s.mem, paused: true } };
  const { at } = s;
  switch (at.stage) {
    case 'arrive':
      return go(paused, { stage: 'ended', outcome: PAUSED });
    case 'listen':
    case 'overspent':
    case 'raise':
    case 'put-away':
    case 'ended':
      return paused;
    default:
      return isSent(at.stage) ? go(paused, { stage: 'put-away', of: at.stage, outcome: PAUSED }) : paused;
  }
}

const PAUSED = outcomeOf({ result: 'paused', reason: 'user_pause' });

export const workflowItem = (input: ItemInput): Drivable<Actions> => drivable(workflowMachine(input), () => NO_FILE);
