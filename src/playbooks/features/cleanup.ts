// A cleanup session: what is untidy is measured, an agent tidies it, and nothing that a user could notice may have changed: every test that
// held holds, no test asks for less, no item is claimed.
//
//   prepare ─┬─ ready ─▶ work ─▶ close ─▶ ended: landed, rejected, failed, blocked, paused
//            └─ else ──▶ ended: blocked
//
// The machine's file is session_state.json: however the session ends, the next prompt is a feature's again.
import { z } from 'zod';
import { defineProcedure, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Drivable } from '../../engine/drivable.ts';
import type { ItemInput } from '../../engine/playbook.ts';
import type { External, Machine, Run, State } from '../../engine/types.ts';
import { checkpointSchema } from '../../model/checkpoint.ts';
import { itemOutcomeSchema, type Actions, type ItemOutcome, type Say } from '../../model/action.ts';
import type { SessionSummary } from '../../model/remember.ts';
import type { Config } from '../../model/config.ts';
import { failureSchema } from '../../model/failure.ts';
import { CLEANUP } from '../../model/item.ts';
import { startScripts } from '../../model/scripts.ts';
import { proofSummarySchema, type ProofSummary } from '../../model/proof.ts';
import { problemsSchema, verdictSchema, type Verdict } from '../../model/verdict.ts';
import { catchUp } from '../session/tree-change.ts';
import { baselineCheck, lintCheck } from '../session/checks.ts';
import { converse } from '../session/conversation.ts';
import { baselineFailing, startEnvironment } from '../session/preflight.ts';
import { proofOf } from '../session/proof.ts';
import { sessionStateSchema, type SessionStateFile } from '../session/session-state.ts';
import { endedStage, go, outcomeOf, procedureStages, sessionMachine } from '../session/stages.ts';
import { budget, gitState } from '../session/surveys.ts';
import { baselineFrom } from '../../model/baseline-record.ts';
import { evidenceLine, shownChecks, stateOf } from '../session/verdicts.ts';
import { cleanup as cleanupBrief } from './briefs.ts';
import { logEntry, pendingEntry } from './edits.ts';
import { hooksFor } from './ending-hooks.ts';
import { claim, fileSize, largeFiles } from './surveys.ts';

type R = Run<Actions>;
const untidySchema = z.object({
  largeFiles: z.array(fileSize).readonly(),
  lint: z.object({ tail: z.string() }).nullable(),
});
const begun = z.object({ checkpoint: checkpointSchema, startedAt: z.string() });
const refusal = z.object({ reason: z.string(), problems: problemsSchema, failure: failureSchema.nullable() });
/** What the agent's turns came to: it holds, or why it is rolled back. */
const cleanupResult = z.discriminatedUnion('end', [
  /** `proof`: left out by older versions. */
  z.object({ end: z.literal('holds'), verdict: verdictSchema, proof: proofSummarySchema.optional() }),
  refusal.extend({ end: z.literal('refused') }),
]);
type CleanupResult = z.output<typeof cleanupResult>;

const positionSchema = z.object({
  at: z.discriminatedUnion('stage', [
    z.object({ stage: z.literal('prepare') }),
    begun.extend({ stage: z.literal('work'), untidy: untidySchema }),
    begun.extend({ stage: z.literal('close'), endedAt: z.string(), result: cleanupResult }),
    z.object({ stage: z.literal('ended'), outcome: itemOutcomeSchema }),
  ]),
  mem: z.object({ paused: z.boolean() }),
});
type Position = z.output<typeof positionSchema>;
type S = State<SessionStateFile, Position['at'], Position['mem']>;

const performs = procedureStages<SessionStateFile, Position['at'], Position['mem']>();

export function cleanupMachine({
  session,
}: ItemInput): Machine<SessionStateFile, Position['at'], Position['mem'], Actions> {
  return {
    name: 'features-cleanup',
    version: 2,
    file: sessionStateSchema,
    position: positionSchema,
    place: () => ({ at: { stage: 'prepare' }, mem: { paused: false } }),
    on: onPause,
    stages: {
      prepare: performs('prepare', prepare, {
        input: () => ({ session }),
        next(s, found, at) {
          if (found.is === 'unready') {
            const { failure } = found;
            return go(s, {
              stage: 'ended',
              outcome: outcomeOf({ result: 'blocked', reason: failure.reason, failure }),
            });
          }
          const file = { ...s.file, last_session: session, current_feature: null, stuck_count: 0, timestamp: at };
          const { untidy, checkpoint } = found;
          return go({ ...s, file }, { stage: 'work', untidy, checkpoint, startedAt: at });
        },
      }),
      work: performs('work', work, {
        input: ({ at: { checkpoint, untidy } }) => ({ session, checkpoint, untidy }),
        next: (s, result, at) => go(s, { stage: 'close', ...begunOf(s.at), endedAt: at, result }),
        lost: (s) => closing(s, s.at, s.at.startedAt, 'session-lost'),
      }),
      close: performs('close', close, {
        input: (s) => ({ session, ...begunOf(s.at), endedAt: s.at.endedAt, result: s.at.result, paused: s.mem.paused }),
        next(s, { outcome }, at) {
          const hasLanded = outcome.result === 'landed';
          const file: SessionStateFile = {
            ...s.file,
            status: hasLanded ? 'complete' : 'failed',
            termination_reason: hasLanded ? null : outcome.result === 'paused' ? 'user_pause' : 'error',
            // A cleanup that a user paused is repeated.
            next_prompt: outcome.result === 'paused' ? 'cleanup' : 'coding',
            timestamp: at,
          };
          return { ...s, file, at: { stage: 'ended', outcome } };
        },
      }),
      ended: endedStage(),
    },
  };
}

export const featuresCleanup = (input: ItemInput): Drivable<Actions> => sessionMachine(cleanupMachine(input));

type Begun = z.output<typeof begun>;
const begunOf = ({ checkpoint, startedAt }: Begun): Begun => ({ checkpoint, startedAt });
const closing = (s: S, at: Begun, endedAt: string, reason: string): S => {
  const result = { end: 'refused', reason, problems: [], failure: null } as const;
  return go(s, { stage: 'close', ...begunOf(at), endedAt, result });
};

/** A pause ends the session: its work is kept as an attempt, and a later run starts the cleanup from scratch. */
function onPause(s: S, event: External, at: string): S {
  if (event.type !== 'pause') return s;
  const paused = { ...s, mem: { paused: true } };
  if (s.at.stage === 'prepare')
    return go(paused, { stage: 'ended', outcome: outcomeOf({ result: 'paused', reason: 'user_pause' }) });
  return s.at.stage === 'work' ? closing(paused, s.at, at, 'user_pause') : s;
}

const prepared = z.discriminatedUnion('is', [
  z.object({ is: z.literal('ready'), untidy: untidySchema, checkpoint: checkpointSchema }),
  z.object({ is: z.literal('unready'), failure: failureSchema }),
]);
const prepare = defineProcedure({
  id: 'prepare-cleanup',
  input: z.object({ session: z.number() }),
  output: prepared,
  async perform(run, { session }, config): Promise<z.output<typeof prepared>> {
    const no = (failure: z.output<typeof failureSchema>) => ({ is: 'unready', failure }) as const;
    await run.do('abandon', { kind: 'abandon', session, item: CLEANUP });
    const git = await readFacts(run, gitState, {});
    if (git.failure) return no(git.failure);
    const broken = await startEnvironment(run, config);
    if (broken) return no(broken);
    const checks = baselineCheck(config);
    const base = await run.do('baseline', { kind: 'check', purpose: 'baseline', session: null, checks });
    if (!base.holds) return no(baselineFailing(base));
    const baseline = baselineFrom(base, base.tree);
    if (baseline !== null)
      await run.do('take-baseline', { kind: 'remember', what: 'baseline', session: session - 1, baseline });
    const spent = await readFacts(run, budget, { item: CLEANUP, session: 0 });
    if (spent.failure) return no(spent.failure);
    const sizes = await readFacts(run, largeFiles, {});
    const lint = await run.do('lint', { kind: 'check', purpose: 'sanity', session: null, checks: lintCheck(config) });
    const red = lint.checks.find(({ passed }) => !passed);
    const untidy = { ...sizes, lint: red === undefined ? null : { tail: red.tail } };
    const checkpoint = await run.do('checkpoint', { kind: 'checkpoint', session, item: null, why: 'pre_cleanup' });
    return { is: 'ready', untidy, checkpoint };
  },
});

const workInput = z.object({ session: z.number(), checkpoint: checkpointSchema, untidy: untidySchema });
const work = defineProcedure({
  id: 'tidy',
  input: workInput,
  output: cleanupResult,
  async perform(run, input, config): Promise<CleanupResult> {
    const { session, checkpoint, untidy } = input;
    const opening = openingSay(cleanupBrief, untidy);
    const who = { role: 'cleanup', session, attempt: 1, item: null, title: 'Cleanup', output: '' };
    const send = converse(run, { who, opening, config });
    const claimedIn = hooksFor(config).claimedIn(config);
    const refused = (about: Partial<z.output<typeof refusal>> & { readonly reason: string }): CleanupResult => ({
      end: 'refused',
      problems: [],
      failure: null,
      ...about,
    });
    let say: Say = opening;
    for (let fixes = 0; ; fixes += 1) {
      const { turn, step, outage } = await send(say);
      if (outage) return refused({ reason: outage.failure.reason, failure: outage.failure });
      if (turn.end !== 'end-turn') return refused({ reason: turn.end });
      const claimed = await readFacts(step, claim, { before: checkpoint.ref, item: CLEANUP });
      let problems = claimed.problems.filter(({ code }) => code !== 'nothing-claimed');
      const checks = [...baselineCheck(config), ...lintCheck(config, checkpoint.tree)];
      const verdict: Verdict = await step.do('check', { kind: 'check', purpose: 'feature', session, checks });
      problems = [...problems, ...verdict.problems, ...verdict.tampering];
      if (verdict.holds && problems.length === 0) {
        const proved = await step.do('strength', strengthOf(input, config, verdict));
        // A change that the user would have to judge is not a cleanup.
        problems = [...proved.problems, ...proved.doubts];
        if (problems.length === 0) return { end: 'holds', verdict, proof: proofOf({ verdict, strength: proved }) };
      }
      const isFinal = verdict.regressions.length > 0 || verdict.tampering.length > 0 || turn.wrapUp !== null;
      if (isFinal || fixes >= config.verification.fixTurns)
        return refused({ reason: problems[0]?.code ?? 'refused', problems });
      if (claimedIn.length > 0) await step.do('revert-claim', { kind: 'restore', checkpoint, paths: claimedIn });
      say = { kind: 'problems', problems, note: '' };
    }
  },
});

const strengthOf = ({ session, checkpoint }: z.output<typeof workInput>, config: Config, verdict: Verdict) => {
  const [full = null] = baselineCheck(config);
  return {
    kind: 'strength',
    item: null,
    session,
    since: checkpoint.tree,
    tree: verdict.tree,
    testFile: null,
    itemKind: 'exempt',
    feature: null,
    full,
    tookMs: { feature: 0, full: verdict.checks.find(({ name }) => name === 'full')?.ms ?? 0 },
    passedBy: [config.paths.backlog, config.paths.progress],
    scripts: startScripts(config.environment),
    rules: { mutation: config.verification.mutation, minKilled: config.verification.minKilled },
  } as const;
};

const closeInput = begun.extend({
  session: z.number(),
  endedAt: z.string(),
  result: cleanupResult,
  paused: z.boolean(),
});
type CloseInput = z.output<typeof closeInput>;
const close = defineProcedure({
  id: 'close-cleanup',
  input: closeInput,
  output: z.object({ outcome: itemOutcomeSchema }),
  async perform(run, input, config) {
    const { result } = input;
    if (result.end === 'refused') return { outcome: await rollBack(run, input, result) };
    const { verdict, proof = proofOf({ verdict, strength: null }) } = result;
    const { commit, refused, usage } = await land(run, input, { verdict, proof }, config);
    if (commit === null) {
      const why = { reason: refused[0]?.code ?? 'refused', problems: refused, failure: null };
      return { outcome: await rollBack(run.scope('refused'), input, why) };
    }
    const { evidence } = verdict;
    return { outcome: outcomeOf({ result: 'landed', reason: 'verified', commit, usage, evidence, proof }) };
  },
});

async function land(
  run: R,
  input: CloseInput,
  { verdict, proof }: { readonly verdict: Verdict; readonly proof: ProofSummary },
  config: Config,
) {
  const { session, checkpoint } = input;
  const { usage, tampering } = await run.do('close', { kind: 'close', session });
  if (tampering.length > 0) return { commit: null, refused: tampering, usage };
  const made = await run.do('commit', {
    kind: 'commit',
    style: 'plain',
    item: null,
    session,
    subject: `refactor: cleanup in session ${session}`,
    body: evidenceLine(verdict),
    tree: verdict.tree,
    checkpoint,
    only: null,
    edit: editCall(logEntry, entryOf(input, shownChecks(verdict), stateOf(verdict))),
    proof: proof.strength,
  });
  const { commit } = made;
  if (commit === null) return { commit, refused: made.refused ? [made.refused] : [], usage };
  const push = await run.do('push', { kind: 'push', commit });
  const baseline = baselineFrom(verdict, made.tree);
  if (baseline !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session, baseline });
  await run.do('sizes', { kind: 'remember', what: 'sizes', session, evidence: verdict.evidence });
  await record(run, input, { completed: true, termination: 'success', result: 'landed', commit });
  const checks = [...baselineCheck(config), ...lintCheck(config)];
  await catchUp(run, { item: null, session, commit, push, checks }, config);
  return { commit, refused: [], usage };
}

async function rollBack(
  run: R,
  input: CloseInput,
  { reason, problems, failure }: z.output<typeof refusal>,
): Promise<ItemOutcome> {
  const { session, checkpoint, paused } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  const { attempt } = await run.do('rollback', {
    kind: 'rollback',
    checkpoint,
    item: null,
    session,
    why: reason,
  });
  const edit = editCall(pendingEntry, entryOf(input, '', [`Rolled back: ${reason}`]));
  await run.do('log', { kind: 'remember', what: 'log', session, edit });
  await record(run, input, { completed: false, termination: 'error', result: 'failed', reason, problems, attempt });
  const failed = failure?.policy === 'needs-human' ? 'blocked' : problems.length > 0 ? 'rejected' : 'failed';
  return outcomeOf({ result: paused ? 'paused' : failed, reason, problems, failure, usage });
}

async function record(
  run: R,
  { session, startedAt, endedAt }: CloseInput,
  about: Omit<SessionSummary, 'item'> & Pick<SessionSummary, 'completed' | 'termination' | 'result'>,
): Promise<void> {
  await run.do('costs', { kind: 'remember', what: 'costs', session, item: CLEANUP });
  const summary = { item: CLEANUP, startedAt, endedAt, ...about };
  await run.do('record', { kind: 'remember', what: 'session', session, summary });
}

const entryOf = ({ session, endedAt, checkpoint }: CloseInput, verification: string, state: readonly string[]) => ({
  item: null,
  session,
  at: endedAt,
  base: checkpoint.ref,
  verification,
  state,
});
