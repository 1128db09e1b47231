// The workflow machine. Its file is state.json, and it executes the table of transitions (table/transitions.ts): each stage of the table is a
// stage of the machine (table-stages.ts), between a few of its own, which are here.
//
//   start-checks ─▶ (a stage of the table) ─▶ … ─▶ ended: landed, partial (by run style), paused, failed
//                          │        ▲
//                          │        └── raise ◀── overspent (a budget is used up)
//                          └── interrupted ─▶ close-interrupted ─▶ ended: paused
//
// A new process continues at the position in the journal; a state.json that another program or a user wrote is placed by the resume table.
import { surveyAction, defineProcedure, readFacts } from '../../engine/definitions.ts';
import { drivable, type Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { Done, External, Machine } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { MOST_RAISES } from '../../model/budget.ts';
import { Bug } from '../../model/bug.ts';
import { failure, type Failure, failureSchema } from '../../model/failure.ts';
import { raiseAction, askOverspent } from '../session/questions.ts';
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
import { NEXT_STEP, missingBefore } from './session-recovery.ts';
import { answered, assignmentsFor, hasSessions, phaseUnderWay, tableStages } from './table-stages.ts';
import { newCounters, type Counters, countersSchema } from './table/counters.ts';
import { resumed, styleOf, startFactsSchema } from './table/resume.ts';
import { runOptionsOf } from './file/run-options.ts';
import { z } from 'zod';
import { takeBaseline } from './layers/prove.ts';
import { startEnvironment } from '../session/preflight.ts';
import { docsPathRule } from './paths/paths.ts';
import { branchState, startFacts } from './repository-facts.ts';
import { addUsage, NO_USAGE, usageSchema } from '../../model/usage.ts';
import { groupInput, nameOf, outputsOf } from './sessions/dispatch.ts';

/** Ends sessions that a pause, a crash or a stop interrupted: records their costs, and removes documents that they did not finish. The code of a generator stays: the next run verifies it. */
export const closeInterrupted = defineProcedure({
  id: 'workflow.close-interrupted',
  input: groupInput.pick({ item: true, session: true, stage: true, assignments: true }).extend({ reason: z.string() }),
  output: z.object({ usage: usageSchema }),
  async perform(run, { item, session, assignments, stage, reason }) {
    const all = assignments.map((one, n) => ({ step: run.scope(nameOf(one)), number: session + n }));
    const ended = await run.all(
      all.map(
        ({ step, number }) =>
          () =>
            step.do('close', { kind: 'close', session: number }),
      ),
    );
    // After all have ended: while a session is open, what the harness writes would look like the agent's.
    for (const [n, { step, number }] of all.entries()) {
      const spent = ended[n]?.usage ?? NO_USAGE;
      if (spent.inputTokens + spent.outputTokens > 0)
        await step.do('costs', { kind: 'remember', what: 'costs', session: number, item });
      const summary = { item, termination: 'user_pause', completed: false, result: 'paused', reason };
      await step.do('record', { kind: 'remember', what: 'session', session: number, summary });
    }
    const unfinished = outputsOf(assignments.filter(({ role }) => role !== 'generator'));
    const paths = stage === 'revise-spec' ? [] : unfinished;
    if (paths.length > 0) await run.do('clear', { kind: 'tidy', paths, keep: [] });
    return { usage: ended.map(({ usage }) => usage).reduce(addUsage, NO_USAGE) };
  },
});

/**
 * Before the first stage: ends sessions that an earlier process left open, checks the folder and the branch, starts the environment, and reads the
 * facts for the resume table.
 */
export const startChecks = defineProcedure({
  id: 'workflow.start-checks',
  input: z.object({
    item: z.string(),
    /** The first of this task. */
    session: z.number(),
    file: workflowFileSchema,
    step: countersSchema.shape.only,
    baseline: countersSchema.shape.baseline,
  }),
  /** `session`: the number of the next session. */
  output: z.object({
    failure: failureSchema.nullable(),
    facts: startFactsSchema,
    session: z.number(),
    baseline: z.string().nullable().optional(),
  }),
  async perform(run, { item, session: first, file, step, baseline: taken = null }, config) {
    const state = resolved(file);
    await run.do('abandon', { kind: 'abandon', session: first, item, andLater: true });
    const { facts, session } = await readFacts(run, startFacts, { file });
    const no = (why: Failure | null) => ({ failure: why, facts, session });
    if (!facts.isDocsPathValid) {
      const { rule } = await readFacts(run, docsPathRule, { docs: state.docs_path });
      return no(failure('workflow-docs-path', { path: state.docs_path, rule: rule ?? '', part: '' }));
    }
    const { failure: unfit } = await readFacts(run, branchState, {
      branch: state.has_git === false ? null : state.branch,
    });
    if (unfit !== null) return no(unfit);
    const lacking = missingBefore(step, state.phase, facts);
    if (step !== null && lacking !== null) {
      const missing = lacking.missing.join(', ');
      return no(failure('workflow-step-first', { step, first: lacking.first, missing }));
    }
    const failing = await startEnvironment(run, config);
    if (failing !== null) return no(failing);
    const baseline = await takeBaseline(run, { state, session: first, taken }, config);
    return { ...no(null), baseline };
  },
});

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
    phase: ({ file, at }) => phaseUnderWay(file, at.stage),
    stages: {
      ...tableStages(input),
      'start-checks': performs('start-checks', startChecks, {
        input: ({ file, mem }) => ({
          item,
          session: mem.session,
          file,
          step: mem.only,
          ...(mem.baseline === undefined ? {} : { baseline: mem.baseline }),
        }),
        next(s, { failure: why, facts, session, baseline }, at) {
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
            mem: {
              ...mem,
              style: s.mem.style,
              session: Math.max(s.mem.session, session),
              ...(baseline ? { baseline } : {}),
            },
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
