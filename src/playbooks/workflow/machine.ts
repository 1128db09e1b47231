// The workflow machine. Its file is state.json, and it executes the table of transitions (table/transitions.ts): each stage of the table is a
// stage of the machine (table-stages.ts), between a few of its own (lifecycle-stages.ts).
//
//   start-checks ─▶ (a stage of the table) ─▶ … ─▶ ended: landed, partial (by run style), paused, failed
//                          │        ▲
//                          │        └── raise ◀── overspent (a budget is used up)
//                          └── interrupted ─▶ close-interrupted ─▶ ended: paused
//
// A new process continues at the position in the journal; a state.json that another program or a user wrote is placed by the resume table.
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { go, outcomeOf } from '../session/stages.ts';
import { isV1, workflowFileSchema, type WorkflowFile } from './file/state.ts';
import { lifecycleStages } from './lifecycle-stages.ts';
import { NO_FILE, positionSchema, type MachineState, type WorkflowPosition } from './position.ts';
import { hasSessions, tableStages } from './table-stages.ts';
import { newCounters, type Counters } from './table/counters.ts';
import { styleOf } from './table/resume.ts';

export function workflowMachine(input: ItemInput): Machine<WorkflowFile, WorkflowPosition, Counters, Actions> {
  const { step, style } = input.config.workflow;
  return {
    name: 'workflow',
    version: 2,
    file: workflowFileSchema,
    gone: NO_FILE,
    position: positionSchema,
    place: (file) => ({
      at: { stage: 'start-checks' },
      mem: { ...newCounters(isV1(file) ? 'auto' : (style ?? styleOf(file, step)), step), session: input.session },
    }),
    on: onEvent,
    stages: { ...tableStages(input), ...lifecycleStages(input) },
  };
}

/**
 * A pause interrupts sessions at once, and takes effect after any other work under way. An open question stays open: a new process, which was
 * not asked to pause, asks it again.
 */
function onEvent(s: MachineState, event: External): MachineState {
  if (event.type === 'life-started') return s.mem.paused ? { ...s, mem: { ...s.mem, paused: false } } : s;
  if (event.type !== 'pause') return s;
  const paused: MachineState = { ...s, mem: { ...s.mem, paused: true } };
  switch (s.at.stage) {
    case 'start-checks':
      return go(paused, { stage: 'ended', outcome: PAUSED });
    case 'detect-language':
    case 'overspent':
    case 'raise':
    case 'close-interrupted':
    case 'ended':
      return paused;
    default: {
      const { stage } = s.at;
      return hasSessions(stage) ? go(paused, { stage: 'close-interrupted', of: stage, outcome: PAUSED }) : paused;
    }
  }
}

const PAUSED = outcomeOf({ result: 'paused', reason: 'user_pause' });

export const workflowItem = (input: ItemInput): Drivable<Actions> =>
  drivable(
    workflowMachine(input),
    () => NO_FILE,
    (at) => (at.stage === 'ended' ? at.outcome : null),
  );
