// The tasks machine: one task through one attempt.
//
//   prepare ─▶ work ─▶ decide ─▶ close ─▶ ended
//      │                 ▲          ▲
//      └─ interrupted: ──┴──────────┘  recovered by what is found (recovery.ts)
//
// prepare: what an interrupted session left, preflight, the checkpoint, the claim · work: the agent works, the harness validates · decide: what
// becomes of the work, by the user where it has no proof or the proof is in doubt · close: first the repository, then the list and the log, so
// that what they say is true.
//
// Each stage is one procedure (below, in this order). The machine's file is the record of sessions (session_state.json); the task's state is in the
// ledger (ledger.ts), which it changes field by field.
import { z } from 'zod';
import { defineProcedure, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine, Run, State } from '../../engine/types.ts';
import { checkpointSchema } from '../../model/checkpoint.ts';
import { itemOutcomeSchema, type Actions, type ItemOutcome, type Say } from '../../model/action.ts';
import { unreachable } from '../../model/bug.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { escalation } from '../../model/gate.ts';
import { isOfProject, programOf } from '../../model/shell-program.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { askForMore, answerTo, askDoubtful } from '../session/questions.ts';
import { converse, cutShort, wrappedUp } from '../session/conversation.ts';
import { NO_PROBLEM, workResult, type Rejection, type WorkResult } from '../session/facts.ts';
import { judge, judgeToLand, type JudgementToLand } from '../session/verdicts.ts';
import { unblamed } from '../session/outages.ts';
import { preflight } from '../session/preflight.ts';
import { sessionStateSchema, type SessionStateFile, finished, started } from '../session/session-state.ts';
import { endedStage, go, outcomeOf, procedureStages, sessionMachine } from '../session/stages.ts';
import { briefOf, executor } from './brief.ts';
import { close, short, writeTask } from './close.ts';
import { errorOf, HEALTHY, logLine, type TaskError } from './log.ts';
import {
  taskDecisionSchema,
  endedTask,
  startedTask,
  taskFacts,
  type EndedTask,
  type TaskDecision,
  type TaskFacts,
} from './facts.ts';
import { followIfProposing } from '../session/proposing.ts';
import { isAsked } from '../session/last.ts';
import { recover } from './recovery.ts';
import { files, item as itemSurvey, landedBefore, now } from './surveys.ts';

type R = Run<Actions>;
const interruption = z.object({
  /** The agent's session was under way when the process before this one ended. */
  isInterrupted: z.boolean(),
  /** The sanity checks failed before that session: they must pass after it. */
  isUnsound: z.literal(true).optional(),
});
const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    interruption.extend({ stage: z.literal('prepare') }),
    startedTask.extend({ stage: z.literal('work'), firstTask: problemsSchema }),
    endedTask.extend({ stage: z.literal('decide'), work: workResult }),
    /** `wasPaused`: when the stage was entered. */
    endedTask.extend({ stage: z.literal('close'), decision: taskDecisionSchema, wasPaused: z.boolean() }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({ paused: z.boolean() }),
});
type Position = z.output<typeof positionSchema>;
type S = State<SessionStateFile, Position['at'], Position['mem']>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();

export function tasksMachine(input: ItemInput): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
  const { session, item } = input;
  return {
    name: 'tasks',
    version: 2,
    file: sessionStateSchema,
    position: positionSchema,
    place: () => ({ at: { stage: 'prepare', isInterrupted: false }, mem: { paused: false } }),
    on: onEvent,
    stages: {
      prepare: performs('prepare', prepare, {
        input: (s) => ({
          item,
          session,
          isInterrupted: s.at.isInterrupted,
          ...(s.at.isUnsound ? { isUnsound: true } : {}),
          stuckCount: String(s.file.current_feature) === item ? s.file.stuck_count : 0,
        }),
        next(s, found, at) {
          if (found.is === 'ended') return ended(s, found.outcome);
          const { facts, checkpoint } = found;
          const file = started(s.file, { session, feature: item, at });
          const after = { ...s, file };
          if (found.is === 'ready')
            return go(after, { stage: 'work', facts, firstTask: found.firstTask, checkpoint, startedAt: at });
          const session_ = { facts, checkpoint, startedAt: at, endedAt: at, text: '' };
          if (found.is === 'judged') return go(after, { stage: 'decide', ...session_, work: found.work });
          return closing(after, session_, found.decision);
        },
      }),
      work: performs('work', work, {
        input: ({ at: { facts, firstTask, checkpoint } }) => ({ facts, firstTask, checkpoint, session }),
        next: (s, result, at) =>
          go(s, { stage: 'decide', ...endedOf({ ...s.at, text: result.text, endedAt: at }), work: result }),
      }),
      decide: performs('decide', decide, {
        input: (s) => ({ ...endedOf(s.at), work: s.at.work, session }),
        next: (s, decision) => closing(s, s.at, decision),
      }),
      close: performs('close', close, {
        input: (s) => ({ ...endedOf(s.at), decision: s.at.decision, session, paused: s.at.wasPaused }),
        next(s, { outcome, end, hasFailedAttempt }, at) {
          const file = { ...finished(s.file, { ...end, at }), ...(hasFailedAttempt ? { stuck_count: 0 } : {}) };
          const isDone = end.end === 'landed' || outcome.result === 'aborted';
          return ended({ ...s, file }, s.mem.paused && !isDone ? { ...outcome, result: 'paused' } : outcome);
        },
      }),
      ended: endedStage(),
    },
  };
}

export const tasksItem = (input: ItemInput): Drivable<Actions> => sessionMachine(tasksMachine(input));

const ended = (s: S, outcome: ItemOutcome): S => go(s, { stage: 'ended', outcome });
const closing = (s: S, over: EndedTask, decision: TaskDecision): S =>
  go(s, { stage: 'close', ...endedOf(over), decision, wasPaused: s.mem.paused });
const endedOf = ({ facts, checkpoint, startedAt, text, endedAt }: EndedTask): EndedTask => ({
  facts,
  checkpoint,
  startedAt,
  text,
  endedAt,
});

/** A new process finds a session that did not end: it was interrupted. A pause saves the work of a session, and keeps one from starting. */
function onEvent(s: S, event: External, at: string): S {
  if (event.type === 'life-started') {
    if (s.at.stage !== 'work') return s;
    const { isUnsound } = s.at.facts;
    return go(s, { stage: 'prepare', isInterrupted: true, ...(isUnsound ? { isUnsound } : {}) });
  }
  if (event.type !== 'pause') return s;
  const paused = { ...s, mem: { paused: true } };
  if (s.at.stage === 'prepare' && !s.at.isInterrupted)
    return ended(paused, outcomeOf({ result: 'paused', reason: 'user_pause' }));
  if (s.at.stage !== 'work') return paused;
  return closing(paused, { ...s.at, text: '', endedAt: at }, { do: 'save', why: 'user_pause', failure: null });
}

/** The environment is started again once before the run stops. */
const ENVIRONMENT_FAILURES = ['init-failed', 'reset-failed', 'unhealthy'];

const prepared = z.discriminatedUnion('is', [
  z.object({ is: z.literal('ended'), outcome: itemOutcomeSchema }),
  z.object({
    is: z.literal('ready'),
    facts: taskFacts,
    firstTask: problemsSchema,
    checkpoint: checkpointSchema,
  }),
  /** An interrupted task whose work was judged, or that needs no judgement. */
  z.object({ is: z.literal('judged'), facts: taskFacts, checkpoint: checkpointSchema, work: workResult }),
  z.object({ is: z.literal('decided'), facts: taskFacts, checkpoint: checkpointSchema, decision: taskDecisionSchema }),
]);
type Prepared = z.output<typeof prepared>;

const prepare = defineProcedure({
  id: 'tasks.prepare',
  /** `stuckCount`: how many sessions in a row ended with this task unfinished. */
  input: interruption.extend({ item: z.string(), session: z.number(), stuckCount: z.number() }),
  output: prepared,
  async perform(run, { item, session, isInterrupted, isUnsound, stuckCount }, config): Promise<Prepared> {
    const stop = (outcome: Parameters<typeof outcomeOf>[0]): Prepared => ({ is: 'ended', outcome: outcomeOf(outcome) });
    const read = await readFacts(run.scope('look'), itemSurvey, { item });
    if (read.facts === null || read.failure) {
      const why = read.failure ?? failure('item-unknown', { item });
      return stop({ result: 'blocked', reason: why.reason, failure: why });
    }
    const { task: listed } = read.facts;
    if (listed.status === 'pending' && listed.base === null && listed.attempts === 0) {
      const { commit, at } = await readFacts(run.scope('look'), landedBefore, { item });
      if (commit !== null) {
        const message = `landed in ${short(commit)} before the list was put back: marked completed`;
        const lines = [{ type: 'RECOVERY', message }] as const;
        await writeTask(run, 'landed-before', {
          facts: read.facts,
          patch: { status: 'completed', completed_at: at },
          lines,
        });
        return stop({ result: 'landed', reason: 'landed-before', commit });
      }
    }
    // A task that was saved on purpose is continued; any other that is under way was interrupted.
    const wasCut = isInterrupted || (read.facts.task.status === 'in_progress' && read.facts.partial === null);
    if (wasCut) {
      const facts = isUnsound ? { ...read.facts, isUnsound } : read.facts;
      return recovered(run.scope('recover'), { facts, session }, config);
    }

    const surveys = { item: itemSurvey, files };
    let found = await preflight(run, { item, session }, config, surveys);
    for (let raises = 0, retries = 0; !found.ready;) {
      const { failure: why, over } = found;
      const again = run.scope(`again-${raises}-${retries}`);
      if (over) {
        const denied = await askForMore(again, { item, session }, over, raises);
        if (denied) return stop(denied);
        raises += 1;
      } else if (ENVIRONMENT_FAILURES.includes(why.reason)) {
        if (retries > 0) return stop(await stopRun(again, read.facts, why));
        retries += 1;
      } else if (why.reason === 'validation-missing') return stop(await stopRun(again, read.facts, why));
      else return stop({ result: 'blocked', reason: why.reason, failure: why });
      found = await preflight(again, { item, session }, config, surveys);
    }

    const { facts, firstTask: before } = found;
    await followIfProposing(run, item, config);
    const firstTask = [...facts.failed.filter(isAsked), ...before];
    const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item, why: 'pre_task' });
    // After the allowed number of unfinished sessions the attempt has failed, and the next starts from scratch.
    if (facts.partial !== null && stuckCount >= config.features.maxStuckSessions) {
      const message = `${stuckCount} sessions ended before the task was done`;
      const error = { category: 'SESSION_TIMEOUT', message } as const;
      const why = { ...NO_PROBLEM, reason: 'session-lost' };
      return { is: 'decided', facts, checkpoint, decision: { do: 'fail', error, why, isLast: false } };
    }
    // A task that is continued keeps the commit that it started from.
    const { task } = facts;
    const base = task.status === 'in_progress' ? (task.base ?? checkpoint.head) : checkpoint.head;
    const line = { type: 'Starting', message: `${facts.title} (base=${short(base)})` } as const;
    const isFirst = config.environment.init !== null && task.isHealthLogged === false;
    await writeTask(run, 'claim', {
      facts,
      before: isFirst ? [{ type: 'INIT', message: HEALTHY }] : [],
      patch: { status: 'in_progress', started_at_commit: base },
      lines: [line],
    });
    const claimed = { ...facts, task: { ...task, status: 'in_progress' as const, base } };
    return { is: 'ready', facts: claimed, firstTask, checkpoint };
  },
});

/** The environment is broken: the log says so, and the run stops. */
async function stopRun(run: R, facts: TaskFacts, why: Failure): Promise<Parameters<typeof outcomeOf>[0]> {
  const { at } = await readFacts(run, now, {});
  const message = `${why.reason}: ${String(why.params['command'] ?? '')}`;
  const line = { at, session: facts.task.run, type: 'ERROR', category: 'ENV_SETUP', message } as const;
  await run.do('stop', { kind: 'write', edit: null, lines: [logLine(line)] });
  return { result: 'blocked', reason: why.reason, failure: why };
}

async function recovered(
  run: R,
  { facts: known, session }: { readonly facts: TaskFacts; readonly session: number },
  config: Config,
): Promise<Prepared> {
  const found = await recover(run, { facts: known, session }, config);
  const { checkpoints, base: checkpoint, action, reason } = found;
  const ofRun = { ...known, task: { ...known.task, run: found.run } };
  const line = { type: 'RECOVERY', message: `action="${action}" reason="${reason}"` } as const;
  await writeTask(run, 'recovered', {
    facts: ofRun,
    checkpoints,
    reportedIn: found.claimedIn,
    patch: {},
    lines: [line],
  });
  const facts = { ...ofRun, task: { ...ofRun.task, checkpoints } };
  switch (found.end) {
    case 'judged':
      return { is: 'judged', facts, checkpoint, work: found.work };
    case 'resume':
      // A session of its own continues: the cost of the interrupted one is recorded with it.
      return { is: 'decided', facts, checkpoint, decision: { do: 'save', why: 'timeout', failure: null } };
    case 'blocked':
      return { is: 'ended', outcome: outcomeOf(await stopRun(run, facts, found.failure)) };
    case 'failed': {
      const { error, why, isLast } = found;
      return { is: 'decided', facts, checkpoint, decision: { do: 'fail', error, why, isLast } };
    }
    default:
      return unreachable(found);
  }
}

/** Problems that another turn could not fix. */
const FINAL: readonly Problem['code'][] = ['check-timed-out', 'nested-repository', 'regression'];

/** A program that is missing is the environment's fault, unless the work has to make it. */
const isEnvironment = ({ code }: Problem, { proof }: TaskFacts): boolean =>
  code === 'command-missing' && !isOfProject(programOf(proof?.command ?? '') ?? '');

const work = defineProcedure({
  id: 'tasks.work',
  input: startedTask.omit({ startedAt: true }).extend({ firstTask: problemsSchema, session: z.number() }),
  output: workResult,
  async perform(run, input, config): Promise<WorkResult> {
    const { facts, session } = input;
    const opening = openingSay(executor, briefOf(input));
    const { id: item, title, attempt } = facts;
    const continues = facts.partial?.wip === undefined ? {} : { continues: true as const };
    const who = { role: 'executor', session, attempt, item, title, output: '', ...continues };
    const send = converse(run, { who, opening, config });
    let say: Say = opening;
    for (let fixes = 0; ; fixes += 1) {
      const reply = await send(say);
      const { turn, step } = reply;
      const { text } = turn;
      const cut = cutShort(reply);
      if (cut !== null) return cut;
      if (saysNotDone(text)) return { end: 'unfinished', why: wrappedUp(turn) ?? 'incomplete', text };
      const proves = needsPerson(facts, config) ? judge : judgeToLand;
      const judged: JudgementToLand = await proves(step, input, config);
      const { verdict, strength, problems, merged } = judged;
      const { evidence, regressions } = verdict;
      if (strength !== null && problems.length === 0) {
        const isAsked = strength.doubts.length > 0 || needsPerson(facts, config);
        // A question may wait for days: the agent's session is closed first.
        const tampering = isAsked ? (await step.do('close', { kind: 'close', session })).tampering : [];
        if (tampering.length > 0)
          return { end: 'rejected', reason: 'tampered', problems: tampering, regressions: [], evidence, text };
        if (strength.doubts.length > 0) return { end: 'doubtful', verdict, strength, text };
        return { end: 'holds', verdict, strength, text, ...(merged === undefined ? {} : { merged }) };
      }
      const isFinal =
        verdict.tampering.length > 0 || problems.some((one) => FINAL.includes(one.code) || isEnvironment(one, facts));
      if (isFinal || wrappedUp(turn) !== null || fixes >= config.verification.fixTurns)
        return { end: 'rejected', reason: problems[0]?.code ?? 'rejected', problems, regressions, evidence, text };
      say = { kind: 'problems', problems, note: '' };
    }
  },
});

/** The task has no validation command, and the configuration requires evidence. */
const needsPerson = ({ proof }: TaskFacts, { verification }: Config): boolean =>
  proof === undefined && verification.requireEvidence;

/** The end of a turn is the claim that the task is done, unless the agent says that it is not. */
export const saysNotDone = (text: string): boolean => /^\s*NOT DONE\b/m.test(text);

const decide = defineProcedure({
  id: 'tasks.decide',
  input: endedTask.extend({ work: workResult, session: z.number() }),
  output: taskDecisionSchema,
  async perform(run, { work: result, facts, session }, config): Promise<TaskDecision> {
    const fail = (error: TaskError, why: Partial<Rejection> & Pick<Rejection, 'reason'>): TaskDecision => ({
      do: 'fail',
      error,
      why: { ...NO_PROBLEM, ...why },
      isLast: false,
    });
    const refused = (message: string): TaskDecision =>
      fail({ category: 'TEST_FAIL', message }, { reason: 'decided-reject' });
    switch (result.end) {
      case 'holds': {
        const { verdict, strength, merged } = result;
        const held = { verdict, strength, ...(merged === undefined ? {} : { merged }) };
        if (!needsPerson(facts, config)) return { do: 'accept', ...held, decided: null, person: null };
        const params = { item: facts.id, title: facts.title };
        const question = escalation('unproved', `unproved-${facts.id}`, facts.id, { params });
        const { option, note, by, at } = await answerTo(run, question);
        if (option === 'land') return { do: 'accept', verdict, strength, decided: null, person: { by, at, note } };
        if (option !== 'skip') return refused('a person did not accept it');
        const error = { category: 'TEST_FAIL', message: 'a person did not accept it' } as const;
        return { do: 'release', error, failure: null, skip: note || 'decided at a gate' };
      }
      case 'doubtful': {
        const { verdict, strength } = result;
        const decided = await answerTo(run, askDoubtful(facts, strength, verdict));
        if (decided.option === 'land') return { do: 'accept', verdict, strength, decided, person: null };
        return refused(strength.doubts[0]?.code ?? 'in doubt');
      }
      case 'unfinished':
        return { do: 'save', why: result.why, failure: result.failure ?? null };
      case 'agent-failed': {
        const { failure: why, blamed } = await unblamed(run, { session, item: facts.id }, result.failure);
        const error = { category: 'TASK_EXEC', message: `the agent failed: ${why.reason}` } as const;
        const before = blamed === null ? {} : { blamed };
        if (why.policy === 'needs-human') return { do: 'release', error, failure: why, skip: null, ...before };
        return fail(error, { reason: why.reason, failure: why });
      }
      case 'rejected': {
        const { reason, problems, regressions, evidence } = result;
        const error = errorOf(reason, problems);
        const [first] = problems;
        if (first === undefined || !isEnvironment(first, facts)) {
          const category = error.category === 'ENV_SETUP' ? 'TEST_FAIL' : error.category;
          return fail({ ...error, category }, { reason, problems, regressions, evidence });
        }
        const command = facts.proof?.command ?? '';
        const missing = failure('validation-missing', { item: facts.id, command });
        return { do: 'release', error, failure: missing, skip: null };
      }
      default:
        return unreachable(result);
    }
  },
});
