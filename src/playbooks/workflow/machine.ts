// The workflow machine. Its file is state.json, and it executes the table of transitions (table/transitions.ts): each stage of the table is a
// stage of the machine (table-stages.ts), between a few of its own, which are here.
//
//   start-checks ─▶ (a stage of the table) ─▶ … ─▶ ended: landed, partial (by run style), paused, failed
//                          │        ▲
//                          │        └── overspent (a budget is used up: the user allows more)
//                          └── interrupted ─▶ close-interrupted ─▶ ended: paused
//
// A new process continues at the position in the journal; a state.json that another program or a user wrote is placed by the resume table.
import { z } from 'zod';
import { defineProcedure, procedureAction } from '../../engine/definitions.ts';
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { overspentSchema } from '../../model/budget.ts';
import { Bug } from '../../model/bug.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { askForMore } from '../session/budget.ts';
import { endedStage, go, outcomeOf, procedureStages } from '../session/stages.ts';
import { isV1, resolved, workflowFileSchema, type WorkflowFile } from './file/state.ts';
import {
  atStage,
  isTableStage,
  NO_FILE,
  positionSchema,
  type MachineState,
  type WorkflowPosition,
} from './position.ts';
import { NEXT_STEP } from './session-recovery.ts';
import { closeInterrupted } from './sessions/close-interrupted.ts';
import { startChecks } from './start-checks.ts';
import { assignmentsFor, hasSessions, tableStages } from './table-stages.ts';
import { newCounters, type Counters } from './table/counters.ts';
import { resumed, styleOf } from './table/resume.ts';

const performs = procedureStages<WorkflowFile, WorkflowPosition, Counters>();

export function workflowMachine(input: ItemInput): Machine<WorkflowFile, WorkflowPosition, Counters, Actions> {
  const { item, config } = input;
  const { step, style } = config.workflow;
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
    stages: {
      ...tableStages(input),
      'start-checks': performs('start-checks', startChecks, {
        input: ({ file, mem }) => ({ file, step: mem.only }),
        next(s, { failure: why, facts, session }, at) {
          if (why !== null) return blocked(s, why);
          const result = resumed(s.file, facts, s.mem.only, undefined, s.mem.style);
          if (result === 'set-up') return blocked(s, failure('workflow-missing', { file: config.paths.backlog }));
          if (result === 'refused') return blocked(s, tooEarly(s));
          const { file, mem, at: to } = result.s;
          if (!isTableStage(to.stage)) throw new Bug(`a run cannot continue in ${to.stage}`);
          return {
            file: file === s.file ? file : { ...file, updated_at: at },
            at: atStage(to.stage),
            // Sessions of this task may have numbers already, also where state.json was set back manually.
            mem: { ...mem, style: s.mem.style, session: Math.max(s.mem.session, session) },
          };
        },
      }),
      overspent: {
        wants: ({ at: { over }, mem: { session, raises } }) => [
          procedureAction(raiseBudget, { item, session, over, raises }, `raise-budget-${raises}`),
        ],
        apply(s, done) {
          if (done.kind !== 'procedure') throw new Bug(`a ${done.kind} is no outcome of ${done.key}`);
          const { denied } = raiseBudget.output.parse(done.outcome.output);
          if (denied !== null) return ended(s, { result: denied, reason: 'budget-exhausted' });
          const mem = { ...s.mem, raises: s.mem.raises + 1, visits: s.mem.visits + 1 };
          if (mem.paused) return ended({ ...s, mem }, { result: 'paused', reason: 'budget-exhausted' });
          return go({ ...s, mem }, atStage(s.at.back));
        },
      },
      'close-interrupted': performs('close-interrupted', closeInterrupted, {
        input: (s) => ({
          item,
          session: s.mem.session,
          stage: s.at.of,
          assignments: assignmentsFor(s, s.at.of),
          reason: s.at.outcome.reason,
        }),
        next: (s) => go(s, { stage: 'ended', outcome: s.at.outcome }),
      }),
      ended: endedStage(),
    },
  };
}

/** `denied`: how the run ends; null: the user allowed more. */
export const raiseBudget = defineProcedure({
  id: 'workflow.raise-budget',
  input: z.object({ item: z.string(), session: z.number(), over: overspentSchema, raises: z.number() }),
  output: z.object({ denied: z.enum(['paused', 'aborted']).nullable() }),
  async perform(run, { item, session, over, raises }) {
    const denied = await askForMore(run, { item, session }, over, raises);
    return { denied: denied?.result ?? null };
  },
});

type Running = Omit<MachineState, 'at'>;
const ended = (s: Running, outcome: Parameters<typeof outcomeOf>[0]): MachineState =>
  go(s, { stage: 'ended', outcome: outcomeOf(outcome) });
const blocked = (s: Running, why: Failure): MachineState =>
  ended(s, { result: 'blocked', reason: why.reason, failure: why });

/** A named step that needs the work of an earlier one. */
function tooEarly({ file, mem }: Running): Failure {
  const { phase } = resolved(file);
  const first = phase === null ? 'plan' : (NEXT_STEP[phase] ?? 'plan');
  return failure('workflow-step-first', { step: mem.only ?? '', first });
}

/**
 * A pause interrupts sessions at once, and takes effect after any other work under way. An open question stays open: a new process, which was
 * not asked to pause, asks it again.
 */
function onEvent(s: MachineState, event: External): MachineState {
  if (event.type === 'life-started') return s.mem.paused ? { ...s, mem: { ...s.mem, paused: false } } : s;
  if (event.type !== 'pause') return s;
  const paused: MachineState = { ...s, mem: { ...s.mem, paused: true } };
  const outcome = { result: 'paused', reason: 'user_pause' } as const;
  switch (s.at.stage) {
    case 'start-checks':
      return ended(paused, outcome);
    case 'overspent':
    case 'close-interrupted':
    case 'ended':
      return paused;
    default: {
      const { stage: of } = s.at;
      return hasSessions(of) ? go(paused, { stage: 'close-interrupted', of, outcome: outcomeOf(outcome) }) : paused;
    }
  }
}

export const workflowItem = (input: ItemInput): Drivable<Actions> =>
  drivable(
    workflowMachine(input),
    () => NO_FILE,
    (at) => (at.stage === 'ended' ? at.outcome : null),
  );
