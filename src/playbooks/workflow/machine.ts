// The workflow machine. Its file is state.json, and it executes the table of transitions (table/transitions.ts): each stage of the table is a
// stage of the machine (table-stages.ts), between a few of its own, which are here.
//
//   start-checks ─▶ (a stage of the table) ─▶ … ─▶ ended: landed, partial (by run style), paused, failed
//                          │        ▲
//                          │        └── raise ◀── overspent (a budget is used up)
//                          └── interrupted ─▶ close-interrupted ─▶ ended: paused
//
// A new process continues at the position in the journal; a state.json that another program or a user wrote is placed by the resume table.
import { surveyAction } from '../../engine/definitions.ts';
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { Done, External, Machine } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { MOST_RAISES, raiseAction } from '../session/budget.ts';
import { askOverspent } from '../session/questions.ts';
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
import { languageOf } from './questions.ts';
import { NEXT_STEP } from './session-recovery.ts';
import { closeInterrupted } from './sessions/close-interrupted.ts';
import { startChecks } from './start-checks.ts';
import { answered, assignmentsFor, hasSessions, tableStages } from './table-stages.ts';
import { newCounters, type Counters } from './table/counters.ts';
import { resumed, styleOf } from './table/resume.ts';
import { runOptionsOf } from './file/run-options.ts';

const performs = procedureStages<WorkflowFile, WorkflowPosition, Counters>();

export function workflowMachine(input: ItemInput): Machine<WorkflowFile, WorkflowPosition, Counters, Actions> {
  const { item, config } = input;
  const { step, style } = runOptionsOf(config);
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
        input: ({ file, mem }) => ({ item, session: mem.session, file, step: mem.only }),
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
      'detect-language': {
        wants: ({ file, at: { note: text }, mem }) => [
          surveyAction(`language-${mem.visits}`, languageOf, { current: resolved(file).user_lang, text }),
        ],
        apply(s, done) {
          if (done.kind !== 'survey') throw unexpected(done);
          const { language } = languageOf.facts.parse(done.outcome.facts);
          const { of, option, note, at } = s.at;
          const isOther = language !== resolved(s.file).user_lang;
          const file = isOther ? { ...s.file, user_lang: language } : s.file;
          return answered({ file, at: { stage: of }, mem: s.mem }, option, note, at);
        },
      },
      overspent: {
        wants: (s) => [askOverspent(item, s.at.over, s.mem.raises)],
        apply(s, done) {
          if (done.kind !== 'ask') throw unexpected(done);
          const { over, back } = s.at;
          const { option } = done.outcome;
          if (option === 'increase') return go(s, { stage: 'raise', over, back, answer: done.outcome });
          return ended(s, { result: option === 'abort' ? 'aborted' : 'paused', reason: 'budget-exhausted' });
        },
      },
      raise: {
        wants: (s) => [raiseAction({ item, session: s.mem.session }, s.at.over, s.at.answer, s.mem.raises)],
        apply(s, done) {
          if (done.kind !== 'remember') throw unexpected(done);
          const raises = s.mem.raises + 1;
          const after = { ...s, mem: { ...s.mem, raises, visits: s.mem.visits + 1 } };
          if (raises <= MOST_RAISES && !s.mem.paused) return go(after, atStage(s.at.back));
          return ended(after, { result: 'paused', reason: 'budget-exhausted' });
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

const unexpected = ({ kind, key }: Done<Actions>): Bug => new Bug(`a ${kind} is no outcome of ${key}`);
type FileAndCounters = Omit<MachineState, 'at'>;
const ended = (s: FileAndCounters, outcome: Parameters<typeof outcomeOf>[0]): MachineState =>
  go(s, { stage: 'ended', outcome: outcomeOf(outcome) });
const blocked = (s: FileAndCounters, why: Failure): MachineState =>
  ended(s, { result: 'blocked', reason: why.reason, failure: why });

/** A named step that needs the work of an earlier one. */
function tooEarly({ file, mem }: FileAndCounters): Failure {
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
    case 'detect-language':
    case 'overspent':
    case 'raise':
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
