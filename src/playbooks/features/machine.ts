// The features machine: one item through one session.
//
//   prepare ─▶ work ─▶ decide ─▶ close ─▶ ended
//
// prepare: preflight, the questions before a session, the checkpoint · work: the agent works, the harness proves · decide: what becomes of the
// work, by the user where the proof is not clear · close: landed, saved or rolled back.
//
// Each stage is one procedure (below, in this order); every question and every retry is a step inside it. A crash resumes the procedure of the
// stage; an upgrade or an edited session_state.json restarts that one stage. The machine's file is session_state.json.
import { z } from 'zod';
import { defineProcedure, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import { changeItem } from '../../engine/list-edits.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine, Run, State } from '../../engine/types.ts';
import {
  checkpointSchema,
  itemOutcomeSchema,
  SESSION_ABANDONED,
  type Actions,
  type ItemOutcome,
  type Say,
} from '../../model/action.ts';
import { unreachable } from '../../model/bug.ts';
import type { Config } from '../../model/config.ts';
import type { ItemChange } from '../../model/item.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import {
  askForMore,
  answerTo,
  askDoubtful,
  askOversized,
  askRefused,
  askReset,
  askStuck,
} from '../session/questions.ts';
import { isUnsoundStill } from '../session/checks.ts';
import { converse, cutShort, wrappedUp } from '../session/conversation.ts';
import { type ClosingSession, land, reject, save } from '../session/endings.ts';
import {
  workDecisionSchema,
  endedSession,
  itemFacts,
  type ItemFacts,
  NO_PROBLEM,
  startedSession,
  workResult,
  type WorkDecision,
  type EndedSession,
  type LandingProof,
  type RefusedSubject,
  type StartedSession,
  type WorkResult,
} from '../session/facts.ts';
import { judge } from '../session/verdicts.ts';
import { unblamed } from '../session/outages.ts';
import { preflight } from '../session/preflight.ts';
import { proofOf } from '../session/proof.ts';
import { sessionStateSchema, type SessionStateFile, finished, sessionEnd, started } from '../session/session-state.ts';
import { endedStage, go, outcomeOf, procedureStages, sessionMachine } from '../session/stages.ts';
import { coding, orientationOf } from './briefs.ts';
import { hooksFor, roleOf } from './ending-hooks.ts';
import { askManual, manualResult, show } from './manual.ts';
import { claim, cleanupDue, files, item as itemSurvey } from './surveys.ts';

type R = Run<Actions>;

const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('prepare') }),
    startedSession.extend({ stage: z.literal('work'), firstTask: problemsSchema }),
    endedSession.extend({ stage: z.literal('decide'), work: workResult }),
    endedSession.extend({ stage: z.literal('close'), decision: workDecisionSchema }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({ paused: z.boolean() }),
});
type Position = z.output<typeof positionSchema>;
type S = State<SessionStateFile, Position['at'], Position['mem']>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();

export function featuresMachine(input: ItemInput): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
  const { session, item } = input;
  return {
    name: 'features',
    version: 3,
    file: sessionStateSchema,
    position: positionSchema,
    place: () => ({ at: { stage: 'prepare' }, mem: { paused: false } }),
    on: onPause,
    stages: {
      prepare: performs('prepare', prepare, {
        input: (s) => ({ item, session, lastItem: s.file.current_feature, stuckCount: s.file.stuck_count }),
        next(s, found, at) {
          const file = found.wasAskedAboutStuck ? { ...s.file, stuck_count: 0 } : s.file;
          if (found.is === 'ended') return ended({ ...s, file }, found.outcome);
          const { facts, firstTask, checkpoint } = found;
          const after = { ...s, file: started(file, { session, feature: item, at }) };
          return go(after, { stage: 'work', facts, firstTask, checkpoint, startedAt: at });
        },
      }),
      work: performs('work', work, {
        input: ({ at: { facts, firstTask, checkpoint } }) => ({ facts, firstTask, checkpoint, session }),
        next: (s, result, at) =>
          go(s, { stage: 'decide', ...sessionOf(s.at), text: result.text, endedAt: at, work: result }),
        // The session of an older version of the program cannot be resumed: it is rolled back.
        lost: (s) =>
          go(s, { stage: 'close', ...sessionOf(s.at), text: '', endedAt: s.at.startedAt, decision: LOST_SESSION }),
      }),
      decide: performs('decide', decide, {
        input: (s) => ({ ...endedOf(s.at), work: s.at.work, session }),
        next: (s, decision) => go(s, { stage: 'close', ...endedOf(s.at), decision }),
      }),
      close: performs('close', close, {
        input: (s) => ({ ...endedOf(s.at), decision: s.at.decision, session, paused: s.mem.paused }),
        next: (s, { end, outcome }, at) => ended({ ...s, file: finished(s.file, { ...end, at }) }, outcome),
      }),
      ended: endedStage(),
    },
  };
}

export const featuresItem = (input: ItemInput): Drivable<Actions> => sessionMachine(featuresMachine(input));

const LOST_SESSION: WorkDecision = { do: 'reject', why: { ...NO_PROBLEM, reason: 'session-lost' } };
const ended = (s: S, outcome: ItemOutcome): S => go(s, { stage: 'ended', outcome });
const sessionOf = ({ facts, checkpoint, startedAt }: StartedSession): StartedSession => ({
  facts,
  checkpoint,
  startedAt,
});
const endedOf = (s: EndedSession): EndedSession => ({ ...sessionOf(s), text: s.text, endedAt: s.endedAt });

/**
 * A pause before the agent's session: it does not start. During it: its work is saved. After it the end is near and is waited for; while a
 * question is open nothing runs, and the loop handles the pause.
 */
function onPause(s: S, event: External, at: string): S {
  if (event.type !== 'pause') return s;
  const paused = { ...s, mem: { paused: true } };
  if (s.at.stage === 'prepare') return ended(paused, outcomeOf({ result: 'paused', reason: 'user_pause' }));
  if (s.at.stage !== 'work') return s;
  const decision = { do: 'save', why: 'user_pause', failure: null } as const;
  return go(paused, { stage: 'close', ...sessionOf(s.at), text: '', endedAt: at, decision });
}

/** How often a user may be asked to repair the environment in one session. */
const MAX_RESET_QUESTIONS = 3;

/** `wasAskedAboutStuck`: whatever the answer, the sessions without the item are counted from zero again. */
const prepared = z.discriminatedUnion('is', [
  z.object({ is: z.literal('ended'), wasAskedAboutStuck: z.boolean(), outcome: itemOutcomeSchema }),
  z.object({
    is: z.literal('ready'),
    wasAskedAboutStuck: z.boolean(),
    facts: itemFacts,
    firstTask: problemsSchema,
    checkpoint: checkpointSchema,
  }),
]);

const prepare = defineProcedure({
  id: 'prepare',
  input: z.object({
    item: z.string(),
    session: z.number(),
    /** Of session_state.json: the item of the last session, and how many sessions in a row did not complete it. */
    lastItem: z.union([z.string(), z.number()]).nullable(),
    stuckCount: z.number(),
  }),
  output: prepared,
  async perform(run, input, config): Promise<z.output<typeof prepared>> {
    const { item, session } = input;
    const stop = (outcome: Parameters<typeof outcomeOf>[0], wasAskedAboutStuck = false) =>
      ({ is: 'ended', wasAskedAboutStuck, outcome: outcomeOf(outcome) }) as const;
    const { isAbandoned } = await run.do('abandon', { kind: 'abandon', session, item });
    if (isAbandoned) return stop({ result: 'partial', reason: SESSION_ABANDONED });

    const before = await readyFor(run, input, config);
    if (!('facts' in before)) return stop(before);
    const isStuck =
      input.lastItem !== null &&
      String(input.lastItem) === item &&
      input.stuckCount >= Math.min(config.features.maxStuckSessions, before.facts.maxAttempts ?? Infinity);
    let asked: readonly Problem[] = [];
    if (isStuck) {
      // An item that failed in several sessions needs the user.
      const { option, note, at } = await answerTo(run, askStuck(before.facts, input.stuckCount));
      if (option === 'skip') return stop(await skip(run, input, { note, at }, config), true);
      if (option !== 'retry') {
        const result = option === 'abort' ? 'aborted' : 'blocked'; // split and manual are the user's work
        return stop({ result, reason: `decided-${option}` }, true);
      }
      if (note.trim() !== '') asked = [{ code: 'said-by-person', params: { note } }];
    } else if (before.facts.oversized.length > 0) {
      const { option, note, at } = await answerTo(run, askOversized(before.facts));
      if (option === 'split') return stop({ result: 'blocked', reason: 'decided-split' });
      if (option === 'skip') return stop(await skip(run, input, { note, at }, config));
      const refused = await writeDecision(run, input, { type: 'size-accepted' }, note, config);
      if (refused.problem) return stop(refusedDecision(refused.problem));
    }
    const wasAsked = isStuck || before.facts.oversized.length > 0;
    // Other items were worked on while the question was open: money, tests and the item itself may have changed.
    const found = wasAsked ? await readyFor(run.scope('answered'), input, config) : before;
    if (!('facts' in found)) return stop(found, isStuck);
    const facts = { ...found.facts, oversized: isStuck ? found.facts.oversized : [] };
    const firstTask = [...asked, ...found.firstTask];
    const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item, why: 'pre_feature' });
    return { is: 'ready', wasAskedAboutStuck: isStuck, facts, firstTask, checkpoint };
  },
});

/** Preflight, and what a user can do about it. Otherwise how the item's session ends. */
async function readyFor(
  run: R,
  { item, session }: OfSession,
  config: Config,
): Promise<{ readonly facts: ItemFacts; readonly firstTask: readonly Problem[] } | Parameters<typeof outcomeOf>[0]> {
  const surveys = { item: itemSurvey, files };
  let found = await preflight(run, { item, session }, config, surveys);
  for (let raises = 0, resets = 0; !found.ready;) {
    const { failure, over } = found;
    const again = run.scope(`again-${raises}-${resets}`);
    if (over) {
      const denied = await askForMore(again, { item, session }, over, raises);
      if (denied) return denied;
      raises += 1;
    } else if (failure.reason === 'reset-failed' && resets < MAX_RESET_QUESTIONS) {
      const { option } = await answerTo(again, askReset(item, failure, resets));
      if (option === 'abort') return { result: 'aborted', reason: 'decided-abort', failure };
      resets += 1;
    } else return { result: 'blocked', reason: failure.reason, failure };
    found = await preflight(again, { item, session }, config, surveys);
  }
  return found;
}

type OfSession = { readonly item: string; readonly session: number };

/** What a user decided about an item is written on the item, so that it is asked only once. A pause waits until it is written. */
async function writeDecision(
  run: R,
  { item, session }: OfSession,
  change: ItemChange,
  note: string,
  { paths: { backlog } }: Config,
): Promise<{ readonly commit: string | null; readonly problem: Problem | null }> {
  const { commit, refused } = await run.uninterrupted(() =>
    run.do(`flag-${change.type}`, {
      kind: 'commit',
      style: 'plain',
      item,
      session,
      subject: `chore(harness): #${item} ${change.type === 'skipped' ? 'is skipped' : 'may be large'}`,
      body: note,
      tree: null,
      checkpoint: null,
      only: [backlog],
      edit: editCall(changeItem, { item, change, base: null }),
    }),
  );
  return { commit, problem: refused };
}
const refusedDecision = (problem: Problem) =>
  ({ result: 'blocked', reason: problem.code, problems: [problem] }) as const;

async function skip(
  run: R,
  about: OfSession,
  { note, at }: { readonly note: string; readonly at: string },
  config: Config,
): Promise<ItemOutcome> {
  const change = { type: 'skipped', reason: note || 'decided at a gate', unblock: false, at } as const;
  const { commit, problem } = await writeDecision(run, about, change, note, config);
  return outcomeOf(problem ? refusedDecision(problem) : { result: 'skipped', reason: 'decided-skip', commit });
}

const work = defineProcedure({
  id: 'work',
  input: startedSession.omit({ startedAt: true }).extend({ firstTask: problemsSchema, session: z.number() }),
  output: workResult,
  async perform(run, input, config): Promise<WorkResult> {
    const { facts, checkpoint, session } = input;
    const opening = openingSay(coding, orientationOf(input));
    const who = {
      role: roleOf(facts),
      session,
      attempt: facts.attempt,
      item: facts.id,
      title: facts.title,
      output: '',
      ...(facts.partial?.wip === undefined ? {} : { continues: true as const }),
    };
    const send = converse(run, { who, opening, config });
    const claimedIn = hooksFor(config).claimedIn(config);
    let say: Say = opening;
    let caught: WorkResult | null = null;
    for (let fixes = 0; ; fixes += 1) {
      const reply = await send(say);
      const { turn, step } = reply;
      const { text } = turn;
      const cut = cutShort(reply);
      if (cut !== null) return cut;

      const claimed = await readFacts(step, claim, { before: checkpoint.ref, item: facts.id });
      // A claim that was refused stays one, also where the agent gives it up.
      if (claimed.problems.length > 0 && claimed.problems.every((p) => p.code === 'nothing-claimed'))
        return caught ?? { end: 'unfinished', why: wrappedUp(turn) ?? 'incomplete', text };
      const judged = claimed.problems.length === 0 ? await judge(step, input, config) : null;
      const verdict = judged?.verdict ?? null;
      const problems = judged?.problems ?? claimed.problems;
      if (judged?.strength && problems.length === 0) {
        const { verdict: held, strength } = judged;
        if (strength.doubts.length === 0) return { end: 'holds', verdict: held, strength, text };
        return closed(step, session, { end: 'doubtful', verdict: held, strength, text }, held.evidence);
      }
      const regressions = verdict?.regressions ?? [];
      const evidence = verdict?.evidence ?? null;
      // A regression is rolled back at once, and so is a change of files that are not the agent's; a failing test may be fixed in another
      // turn. The tree before another turn cannot be kept while another repository is inside.
      const isNested = problems.some(({ code }) => code === 'nested-repository');
      const isTampered = (verdict?.tampering.length ?? 0) > 0;
      const isFinal = regressions.length > 0 || isTampered || isNested;
      if (isFinal || wrappedUp(turn) !== null || fixes >= config.verification.fixTurns) {
        const reason = problems[0]?.code ?? 'rejected';
        const rejected = { end: 'rejected', reason, problems, regressions, evidence, text } as const;
        const subject = subjectOf(regressions, facts.isUnsound === true && isUnsoundStill(problems, config));
        const isAsked = !isTampered && (subject === 'sanity-failed' || Object.hasOwn(config.gates.policies, subject));
        return isAsked ? closed(step, session, { ...rejected, ask: subject }, evidence) : rejected;
      }
      if (claimedIn.length > 0) await step.do('revert-claim', { kind: 'restore', checkpoint, paths: claimedIn });
      const taken = claimedIn.map((file): Problem => ({ code: 'claim-taken-back', params: { item: facts.id, file } }));
      say = { kind: 'problems', problems: [...problems, ...taken], note: '' };
      const reason = problems[0]?.code ?? 'rejected';
      caught = { end: 'rejected', reason, problems, regressions: [], evidence, text };
    }
  },
});

function subjectOf(regressions: readonly string[], isUnsound: boolean): RefusedSubject {
  if (regressions.length > 0) return 'regression';
  return isUnsound ? 'sanity-failed' : 'verification-failed';
}

/** A question may wait for days: the agent's session is closed first, and its work is judged as it is then. */
async function closed(step: R, session: number, result: WorkResult, evidence: string | null): Promise<WorkResult> {
  const { tampering } = await step.do('close', { kind: 'close', session });
  const [first] = tampering;
  if (first === undefined) return result;
  return { end: 'rejected', reason: first.code, problems: tampering, regressions: [], evidence, text: result.text };
}

const decide = defineProcedure({
  id: 'decide',
  input: endedSession.extend({ work: workResult, session: z.number() }),
  output: workDecisionSchema,
  async perform(run, input): Promise<WorkDecision> {
    const { work: result, facts } = input;
    switch (result.end) {
      case 'holds':
        return byHand(run, input, { verdict: result.verdict, strength: result.strength, decided: null });
      case 'unfinished':
        return { do: 'save', why: result.why, failure: result.failure ?? null };
      case 'agent-failed': {
        const { failure } = await unblamed(run, { session: input.session, item: facts.id }, result.failure);
        return { do: 'reject', why: { ...NO_PROBLEM, reason: failure.reason, failure } };
      }
      case 'doubtful': {
        // An honest change of old tests and a weakened one can look the same: the user decides, and the commit names them.
        const { verdict, strength } = result;
        const decided = await answerTo(run, askDoubtful(facts, strength, verdict));
        if (decided.option === 'land') return byHand(run, input, { verdict, strength, decided });
        const { doubts: problems, evidence } = strength;
        const reason = problems[0]?.code ?? 'decided-reject';
        return { do: 'reject', why: { ...NO_PROBLEM, reason, problems, evidence } };
      }
      case 'rejected': {
        const { reason, problems, regressions, evidence } = result;
        const why = { reason, problems, regressions, evidence, failure: null };
        if (result.ask === undefined) return { do: 'reject', why };
        const { option, note, at } = await answerTo(run, askRefused(facts, result.ask, why));
        const saved = { do: 'save', why: 'incomplete', failure: null } as const;
        // The item is done; only what was broken before it is not fixed: the next session continues with that.
        if (result.ask === 'sanity-failed' && option === 'retry') return saved;
        if (option === 'manual' || option === 'manual-verify') return { ...saved, byHand: true };
        if (option === 'skip') return skipped(note, at);
        return { do: 'reject', why, ...(option === 'abort' ? { next: { do: 'abort' } } : {}) };
      }
      default:
        return unreachable(result);
    }
  },
});

/** The user verifies what no test can show, after the agent's session is closed and with its work in the work tree. */
async function byHand(run: R, input: ClosingSession, proof: Omit<LandingProof, 'person'>): Promise<WorkDecision> {
  if (!input.facts.byHand) return { do: 'accept', ...proof, person: null };
  const { verdict } = proof;
  const { tampering, files: shown } = await show(run.scope('show'), { ...input, verdict });
  const [first] = tampering;
  if (first) {
    const why = { ...NO_PROBLEM, reason: first.code, problems: tampering, evidence: verdict.evidence };
    return { do: 'reject', why };
  }
  const answer = await answerTo(run, askManual(input.facts, proof, shown));
  const result = manualResult(answer, verdict.evidence);
  if (result.is === 'verified') return { do: 'accept', ...proof, person: result.person };
  return result.is === 'failed' ? { do: 'reject', why: result.why } : skipped(result.note, answer.at);
}

/** The work is kept as an attempt before the item is skipped. */
const skipped = (note: string, at: string): WorkDecision => ({
  do: 'reject',
  why: { ...NO_PROBLEM, reason: 'decided-skip' },
  next: { do: 'skip', note, at },
});

type CloseInput = ClosingSession & { readonly decision: WorkDecision; readonly paused: boolean };
type Closed = { readonly outcome: ItemOutcome; readonly end: z.output<typeof sessionEnd> };

const close = defineProcedure({
  id: 'close',
  input: endedSession.extend({ decision: workDecisionSchema, session: z.number(), paused: z.boolean() }),
  output: z.object({ outcome: itemOutcomeSchema, end: sessionEnd }),
  async perform(run, input, config): Promise<Closed> {
    const { decision } = input;
    if (decision.do === 'save') return closeSaved(run, input, decision, config);
    if (decision.do === 'reject') return closeRejected(run, input, decision, config);
    const landed = await land(run, { ...input, ...decision }, config, hooksFor(config));
    const { evidence } = decision.verdict;
    if (landed.commit === null && landed.overtaken !== undefined) {
      const saved = { do: 'save', why: 'overtaken', failure: null } as const;
      return closeSaved(run.scope('overtaken'), { ...input, tree: landed.overtaken }, saved, config);
    }
    if (landed.commit === null) {
      const { refused: problems } = landed;
      const why = { ...NO_PROBLEM, reason: problems[0]?.code ?? 'refused', problems, evidence };
      return closeRejected(run.scope('refused'), input, { do: 'reject', why }, config);
    }
    const { commit, usage, pushFailure: failure } = landed;
    const { isDue } = await readFacts(run, cleanupDue, {});
    const proof = proofOf(decision);
    const outcome = outcomeOf({ result: 'landed', reason: 'verified', evidence, commit, usage, failure, proof });
    return { outcome, end: { end: 'landed', isCleanupDue: isDue } };
  },
});

async function closeSaved(
  run: R,
  input: CloseInput & { readonly tree?: string },
  { why, failure, byHand: isByHand }: Extract<WorkDecision, { do: 'save' }>,
  config: Config,
): Promise<Closed> {
  const { usage, refused, over } = await save(run, { ...input, why }, config, hooksFor(config));
  if (refused) {
    const result = input.paused ? 'paused' : 'rejected';
    const outcome = outcomeOf({ result, reason: refused.code, problems: [refused], usage });
    return { outcome, end: { end: 'failed' } };
  }
  const end = { end: 'partial', why, isOutage: failure !== null } as const;
  const result = input.paused ? 'paused' : 'partial';
  const outcome = outcomeOf({ result, reason: failure?.reason ?? why, failure, usage });
  if (isByHand) return { end, outcome: { ...outcome, result: 'blocked', reason: 'decided-manual' } };
  if (!over || input.paused) return { end, outcome };
  const denied = await askForMore(run, { item: input.facts.id, session: input.session }, over);
  return { end, outcome: { ...outcome, ...denied } };
}

async function closeRejected(
  run: R,
  input: CloseInput,
  { why, next }: Extract<WorkDecision, { do: 'reject' }>,
  config: Config,
): Promise<Closed> {
  const { usage } = await reject(run, { ...input, why }, config, hooksFor(config));
  const { reason, problems, evidence, failure } = why;
  const about = { item: input.facts.id, session: input.session };
  if (next?.do === 'skip') return { outcome: await skip(run, about, next, config), end: { end: 'blocked' } };
  const outcome = outcomeOf({ result: resultOf(why), reason, problems, evidence, failure, usage });
  const end = { end: outcome.result === 'blocked' ? 'blocked' : 'failed' } as const;
  if (next?.do === 'abort')
    return { end, outcome: { ...outcome, failure: null, result: 'aborted', reason: 'decided-abort' } };
  return { end, outcome };
}

function resultOf({ failure, problems }: Pick<ItemOutcome, 'failure' | 'problems'>): 'blocked' | 'failed' | 'rejected' {
  if (failure === null) return problems.length > 0 ? 'rejected' : 'failed';
  return failure.policy === 'needs-human' ? 'blocked' : 'failed';
}
