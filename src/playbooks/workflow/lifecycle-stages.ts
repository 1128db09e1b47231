// The stages around those of the table: checks before the first one, the language of the user's notes, budgets, interrupted sessions, the end.
import { z } from 'zod';
import { defineSurvey, surveyAction } from '../../engine/definitions.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { Done } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { languageAfter } from '../../model/spoken.ts';
import { MOST_RAISES, raiseAction } from '../session/budget.ts';
import { askOverspent } from '../session/questions.ts';
import { endedStage, go, outcomeOf, procedureStages } from '../session/stages.ts';
import { resolved, type WorkflowFile } from './file/state.ts';
import {
  atStage,
  isTableStage,
  type MachineState,
  type TableStage,
  type WorkflowPosition,
  type WorkflowStages,
} from './position.ts';
import { NEXT_STEP } from './session-recovery.ts';
import { closeInterrupted } from './sessions/close-interrupted.ts';
import { startChecks } from './start-checks.ts';
import { answered, assignmentsFor } from './table-stages.ts';
import type { Counters } from './table/counters.ts';
import { resumed } from './table/resume.ts';

type Lifecycle = Exclude<WorkflowPosition['stage'], TableStage>;
const performs = procedureStages<WorkflowFile, WorkflowPosition, Counters>();

/** The language of a text, if it is one that the harness recognises; otherwise `current`. ISO 639-1. */
export const language = defineSurvey({
  id: 'workflow.language',
  input: z.object({ current: z.string(), text: z.string() }),
  facts: z.object({ language: z.string() }),
  read: async (_context, { current, text }) => ({ language: await languageAfter(current, text) }),
});

const unexpected = ({ kind, key }: Done<Actions>): Bug => new Bug(`a ${kind} is no outcome of ${key}`);
const blocked = (s: MachineState, why: Failure): MachineState =>
  go(s, { stage: 'ended', outcome: outcomeOf({ result: 'blocked', reason: why.reason, failure: why }) });

export const lifecycleStages = ({ item, config }: ItemInput): Pick<WorkflowStages, Lifecycle> => ({
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

  'detect-language': {
    wants: (s) => [
      surveyAction(`language-${s.mem.visits}`, language, { current: resolved(s.file).user_lang, text: s.at.note }),
    ],
    apply(s, done) {
      if (done.kind !== 'survey') throw unexpected(done);
      const found = language.facts.parse(done.outcome.facts).language;
      const { of, option, note, at } = s.at;
      const file = found === resolved(s.file).user_lang ? s.file : { ...s.file, user_lang: found };
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
      return overBudget(s, option === 'abort' ? 'aborted' : 'paused');
    },
  },

  raise: {
    wants: (s) => [raiseAction({ item, session: s.mem.session }, s.at.over, s.at.answer, s.mem.raises)],
    apply(s, done) {
      if (done.kind !== 'remember') throw unexpected(done);
      const raises = s.mem.raises + 1;
      const after = { ...s, mem: { ...s.mem, raises, visits: s.mem.visits + 1 } };
      return raises <= MOST_RAISES && !s.mem.paused ? go(after, atStage(s.at.back)) : overBudget(after, 'paused');
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
});

const overBudget = (s: Omit<MachineState, 'at'>, result: 'aborted' | 'paused'): MachineState =>
  go(s, { stage: 'ended', outcome: outcomeOf({ result, reason: 'budget-exhausted' }) });

/** A named step that needs the work of an earlier one. */
function tooEarly({ file, mem }: Pick<MachineState, 'file' | 'mem'>): Failure {
  const { phase } = resolved(file);
  const first = phase === null ? 'plan' : (NEXT_STEP[phase] ?? 'plan');
  return failure('workflow-step-first', { step: mem.only ?? '', first });
}
