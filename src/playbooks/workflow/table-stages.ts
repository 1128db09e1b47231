// Each stage of the table as a stage of the machine: the action that it waits for, and the event that its outcome is.
import { z } from 'zod';
import { defineSurvey, procedureAction, surveyAction, type Procedure, type Survey } from '../../engine/definitions.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { ActionOf, Done, MachinePhase, Stage } from '../../engine/types.ts';
import type { Actions, ItemOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { entryOf } from '../../model/entry.ts';
import { addUsage, NO_USAGE } from '../../model/usage.ts';
import { go, outcomeOf } from '../session/stages.ts';
import { budget } from '../session/surveys.ts';
import { resolved, type WorkflowFile } from './file/state.ts';
import { applyFix, proposeFix } from './layers/auto-fix.ts';
import { finish } from './layers/finish.ts';
import { layer1 } from './layers/layer-1.ts';
import {
  atStage,
  isTableStage,
  NO_FILE,
  TABLE_STAGES,
  type AtTableStage,
  type MachineState,
  type TableStage,
  type WorkflowPosition,
  type WorkflowStages,
} from './position.ts';
import { findConventions } from './project/conventions.ts';
import { qaVerdict } from './project/reports.ts';
import { questionOf } from './questions.ts';
import { dispatch, evaluate } from './sessions/dispatch.ts';
import { assignmentsOf, VERIFIER, type Assignment } from './table/assignments.ts';
import type { Counters } from './table/counters.ts';
import { answersOf, optionOf } from './table/gates.ts';
import { next } from './table/next.ts';
import { isProved } from './table/rules.ts';
import {
  type EventResult,
  type StageResult,
  gateOf,
  isStage,
  phaseOf,
  wantOf,
  type StageName,
  type Want,
} from './table/stages.ts';

type S = AtTableStage;
type Handler = {
  readonly action: (s: S, input: ItemInput) => ActionOf<Actions>;
  readonly apply: (s: S, done: Done<Actions>) => MachineState;
};

const keyOf = (s: S): string => `${s.at.stage}-${s.mem.visits}`;
const unexpected = ({ kind, key }: Done<Actions>): Bug => new Bug(`a ${kind} is no outcome of ${key}`);

const byProcedure = <I>(procedure: Procedure<I, StageResult>, inputOf: (s: S, item: string) => I): Handler => ({
  action: (s, { item }) => procedureAction(procedure, inputOf(s, item), keyOf(s)),
  apply(s, done) {
    if (done.kind !== 'procedure') throw unexpected(done);
    return moved(s, procedure.output.parse(done.outcome.output), done.at);
  },
});
const bySurvey = <I, F>(
  survey: Survey<I, F>,
  inputOf: (s: S, item: string) => I,
  after: (s: S, facts: F, at: string) => MachineState,
): Handler => ({
  action: (s, { item }) => surveyAction(keyOf(s), survey, inputOf(s, item)),
  apply(s, done) {
    if (done.kind !== 'survey') throw unexpected(done);
    return after(s, survey.facts.parse(done.outcome.facts), done.at);
  },
});

/** The action of a stage that only continues. */
export const nothing = defineSurvey({
  id: 'workflow.nothing',
  input: z.object({}),
  facts: z.object({}),
  read: () => Promise.resolve({}),
});

const groupOf = (s: S, item: string) => ({
  item,
  stage: s.at.stage,
  session: s.mem.session,
  assignments: assignmentsFor(s, s.at.stage),
  attempt: s.mem.tries + 1,
  file: s.file,
  retry: retryOf(s),
  note: s.mem.note,
});

const HANDLERS: { readonly [W in Exclude<Want, 'nothing'>]: Handler } = {
  begin: bySurvey(
    budget,
    (_s, item) => ({ item, session: 0 }),
    (s, { over, failure }, at) => {
      if (over !== null) return go(s, { stage: 'overspent', over, back: s.at.stage });
      if (failure !== null) return ended(s, { result: 'blocked', reason: failure.reason, failure });
      return moved(s, { on: 'begin' }, at);
    },
  ),
  proceed: bySurvey(
    nothing,
    () => ({}),
    (s, _facts, at) => moved(s, { on: 'proceed' }, at),
  ),
  sessions: byProcedure(dispatch, groupOf),
  proposal: byProcedure(proposeFix, groupOf),
  evaluation: byProcedure(evaluate, groupOf),
  'layer 1': byProcedure(layer1, groupOf),
  conventions: byProcedure(findConventions, ({ file }) => ({ file })),
  patch: byProcedure(applyFix, (s, item) => ({ item, session: s.mem.session, file: s.file, shown: s.mem.diff })),
  verdict: bySurvey(qaVerdict, ({ file }) => ({ docs: resolved(file).docs_path }), moved),
  'clean-up': byProcedure(finish, (s, item) => ({
    item,
    // Of the session whose work lands; after a lost journal, of the last one.
    session: s.mem.built > 0 ? s.mem.built : Math.max(1, s.mem.session - 1),
    file: s.file,
    choice: s.mem.finish,
    isProved: isProved(s),
    isAccepted: s.mem.isAccepted,
    line: s.mem.line,
    ...(s.mem.proved ? { proved: s.mem.proved } : {}),
  })),
};

const QUESTION: Handler = {
  action: (s, { item }) => questionOf(s, item),
  apply(s, done) {
    if (done.kind !== 'ask') throw unexpected(done);
    const { option, note } = done.outcome;
    if (note.trim() === '') return answered(s, option, '', done.at);
    return go(s, { stage: 'detect-language', of: s.at.stage, option, note, at: done.at });
  },
};

function handlerOf(stage: TableStage): Handler {
  const want = wantOf(stage);
  if (want === 'nothing') throw new Bug(`nothing is wanted in ${stage}`);
  return want === null ? QUESTION : HANDLERS[want];
}

export function tableStages(input: ItemInput): Pick<WorkflowStages, TableStage> {
  const stage: Stage<WorkflowFile, S['at'], WorkflowPosition, Counters, Actions> = {
    wants: (s) => [handlerOf(s.at.stage).action(s, input)],
    apply: (s, done) => handlerOf(s.at.stage).apply(s, done),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TABLE_STAGES holds every TableStage
  return Object.fromEntries(TABLE_STAGES.map((name) => [name, stage])) as { [N in TableStage]: typeof stage };
}

/** By the phase of the stage, with the word of its sentence. */
const UNDER_WAY: { readonly [phase: string]: string } = {
  planning: 'plan',
  generating: 'generate',
  verifying: 'verify',
  evaluating: 'evaluate',
};

/** The phase that the work of this stage belongs to; null: nothing is worked on, or what a phase made is judged. */
export function phaseUnderWay(file: WorkflowFile, stage: WorkflowPosition['stage']): MachinePhase | null {
  const name = isStage(stage) ? entryOf(UNDER_WAY, phaseOf(stage) ?? '') : undefined;
  return name === undefined ? null : { name, round: resolved(file).round };
}

/** Whether agents work in this stage. */
export const hasSessions = (stage: TableStage): boolean => {
  const want = wantOf(stage);
  return want === 'sessions' || want === 'proposal' || want === 'evaluation' || want === 'layer 1';
};
export function assignmentsFor({ file }: Pick<S, 'file'>, stage: TableStage): readonly Assignment[] {
  const { mode, docs_path: docs } = resolved(file);
  return wantOf(stage) === 'layer 1' ? [VERIFIER] : assignmentsOf(stage, mode, docs);
}

/** For a generator that is sent again: the line of the layer that failed, and its report. */
function retryOf({ file, at, mem }: S): { readonly line: string; readonly report: string } | null {
  if (at.stage !== 'retry') return null;
  const { docs_path: docs } = resolved(file);
  return { line: mem.line, report: `${docs}${mem.failed === 1 ? 'verify_report.md' : 'qa_report.md'}` };
}

/** The state after an answer to the stage's question. */
export function answered(s: S, option: string, note: string, at: string): MachineState {
  const gate = gateOf(s.at.stage);
  const on = gate === null ? undefined : answersOf(gate).find((answer) => optionOf(answer) === option);
  if (on === undefined) throw new Bug(`"${option}" is no answer in ${s.at.stage}`);
  const mem = { ...s.mem, note: on === 'spec: modify' ? note : '' };
  if (on !== 'spec: modify' || note.trim() !== '') return moved({ ...s, mem }, { on }, at);
  // Without a note the user changed the spec themselves: they are asked about it again, and no session is sent.
  const again = { ...mem, visits: mem.visits + 1, revisions: mem.revisions + 1 };
  return go({ ...s, mem: again }, atStage(s.at.stage));
}

const ended = (s: S, outcome: Parameters<typeof outcomeOf>[0]): MachineState =>
  go(s, { stage: 'ended', outcome: outcomeOf({ usage: s.mem.usage, ...outcome }) });

function moved(before: S, result: StageResult, at: string): MachineState {
  const { stage } = before.at;
  if ('over' in result) return go(before, { stage: 'overspent', over: result.over, back: stage });
  const { sessions = 0, usage = NO_USAGE } = result;
  const mem = {
    ...before.mem,
    session: before.mem.session + sessions,
    usage: addUsage(before.mem.usage, usage),
    built: stage === 'implement' || stage === 'retry' ? before.mem.session : before.mem.built,
  };
  const s = { ...before, mem };
  if ('outage' in result) return ended(s, { result: 'partial', reason: result.outage.reason, failure: result.outage });
  const { on, line, confidence } = result;
  const step = next(s, { on, at, line, confidence });
  if ('refused' in step) throw new Bug(`${on} came in ${stage}`);
  const { file, at: to, mem: after } = step.state;
  const { refused: _refused, ...kept } = after;
  const counters: Counters = {
    ...kept,
    ...(result.refused === undefined ? {} : { refused: result.refused }),
    note: to.stage === 'revise-spec' ? after.note : '',
    // By the stage and not by the file, where both layers may say FAIL: then the user accepted the failure of Layer 1.
    failed: to.stage !== 'retry' || stage === 'retry' ? after.failed : stage === 'verdict' ? 2 : 1,
    evidence: result.evidence === undefined ? after.evidence : result.evidence,
    // A Layer 1 that is run again replaces what an earlier one proved.
    ...(wantOf(stage) === 'layer 1' ? { proved: result.proved ?? null } : {}),
    paths: result.paths ?? after.paths,
    diff: result.diff === undefined ? after.diff : result.diff,
    isVoid: on === 'evaluation: void',
    isAccepted: after.isAccepted || (to.stage === 'completed' && on !== 'verdict: pass'),
  };
  if (!isTableStage(to.stage)) return tableEnd({ file, at: s.at, mem: counters }, to.stage, result);
  const there = { file, at: { stage: to.stage }, mem: counters };
  // The last question is asked even in a pause: all work is done by then.
  const isOver = counters.paused && !['completed', 'commit-gate', 'clean-up'].includes(to.stage);
  return isOver ? ended(there, { result: 'paused', reason: 'user_pause' }) : go(there, atStage(to.stage));
}

/** What a user reads of a phase that is done. */
const WRITTEN_BY: { readonly [phase: string]: string } = {
  plan_done: 'spec.md',
  generate_done: 'changes.md',
  verify_done: 'verify_report.md',
  evaluate_done: 'qa_report.md',
};

/** By run style, by an answer, because a result is missing, or because everything is done. */
function tableEnd(
  s: S,
  end: Exclude<StageName, TableStage>,
  { problems = [], commit = null, proof }: EventResult,
): MachineState {
  if (end === 'session-end') {
    const { phase, docs_path: docs } = resolved(s.file);
    const document = phase === null ? undefined : entryOf(WRITTEN_BY, phase);
    return ended(s, {
      result: 'partial',
      reason: 'workflow-phase-done',
      ...(document === undefined ? {} : { evidence: `${docs}${document}` }),
    });
  }
  if (end === 'stopped') {
    const { why } = s.mem;
    const result = why.startsWith('stopped-at-') ? 'paused' : 'failed';
    // What a session did instead of writing its file says more than that the file is missing.
    const reason = why === 'output-missing' ? (problems[0]?.code ?? why) : why;
    return ended(s, { result, reason, problems });
  }
  const result: ItemOutcome['result'] = isProved(s) ? 'landed' : 'unproved';
  const isAccepted = s.mem.isAccepted || resolved(s.file).verify.layer1_result === 'FAIL';
  const unproved = isAccepted ? 'workflow-accepted' : 'unproved';
  const reason = commit === null ? 'workflow-kept' : result === 'landed' ? 'verified' : unproved;
  return ended(
    { ...s, file: NO_FILE },
    {
      result,
      reason,
      commit,
      evidence: s.mem.evidence,
      ...(proof === undefined ? {} : { proof }),
    },
  );
}
