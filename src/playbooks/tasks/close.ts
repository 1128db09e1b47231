// The end of a session on a task: first the change of the repository, then the entries in the list and the log, so that they are true.
import { checkOf } from '../session/checks.ts';
import { z } from 'zod';
import { defineProcedure, editCall, readFacts } from '../../engine/definitions.ts';
import { changeItem } from '../../engine/list-edits.ts';
import type { Run } from '../../engine/types.ts';
import { itemOutcomeSchema, type Actions, type CheckSpec } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import { unreachable } from '../../model/bug.ts';
import type { Config } from '../../model/config.ts';
import type { Json } from '../../model/json.ts';
import { askForMore } from '../session/questions.ts';
import type { EndingHooks } from '../session/ending-hooks.ts';
import { reject, save } from '../session/endings.ts';
import type { KeptTree } from '../session/ending-steps.ts';
import { land } from '../session/landing.ts';
import { isOnBranch } from '../session/last.ts';
import { landedAt, proposingOf } from '../session/proposing.ts';
import { NO_PROBLEM, type Rejection } from '../session/facts.ts';
import { proofOf } from '../session/proof.ts';
import { outcomeOf } from '../session/stages.ts';
import { sessionEnd } from '../session/session-state.ts';
import { errorLine, errorOf, logLine, type LogLine } from './log.ts';
import { taskDecisionSchema, endedTask, type checkpointsSchema, type TaskDecision, type TaskFacts } from './facts.ts';
import { ownsList, patchTaskEdit, seconds } from './ledger.ts';
import { merged } from './notes.ts';
import type { TaskStatus } from './schema.ts';
import { item as itemSurvey, now, reportedSteps } from './surveys.ts';

type R = Run<Actions>;
const closeInput = endedTask.extend({ decision: taskDecisionSchema, session: z.number(), paused: z.boolean() });
type CloseInput = z.output<typeof closeInput>;
const closed = z.object({
  outcome: itemOutcomeSchema,
  end: sessionEnd,
  /** The attempt failed: the next one does not continue it. */
  hasFailedAttempt: z.boolean(),
});
type Closed = z.output<typeof closed>;
type OfDecision<D extends TaskDecision['do']> = Extract<TaskDecision, { do: D }>;

export const close = defineProcedure({
  id: 'tasks.close',
  input: closeInput,
  output: closed,
  perform(run, input, config): Promise<Closed> {
    const { decision } = input;
    switch (decision.do) {
      case 'accept':
        return closeAccepted(run, input, decision, config);
      case 'save':
        return closeSaved(run, input, decision, config);
      case 'fail':
        return closeFailed(run, input, decision, config);
      case 'release':
        return closeReleased(run, input, decision, config);
      default:
        return unreachable(decision);
    }
  },
});

/** No commit carries a list of the machine's own; in another list the landing commit says that the item is done. */
const hooksFor = (config: Config): EndingHooks => ({
  role: () => 'executor',
  claim: 'command',
  claimedIn: () => [],
  accepting: ({ facts, endedAt }) =>
    ownsList(config) ? null : editCall(changeItem, { item: facts.id, change: landedAt(config, endedAt), base: null }),
  logging: () => null,
  startsAnew: true,
  ...proposingOf(config),
  blame: () => Promise.resolve([]),
});

async function closeAccepted(
  run: R,
  input: CloseInput,
  decision: OfDecision<'accept'>,
  config: Config,
): Promise<Closed> {
  const { facts } = input;
  const { person, verdict } = decision;
  const { evidence } = verdict;
  const landed = await land(run, { ...input, ...decision }, config, hooksFor(config));
  if (landed.commit === null && landed.overtaken !== undefined) {
    const { overtaken: tree, merged } = landed;
    const saved = { do: 'save', why: 'overtaken', failure: null } as const;
    return closeSaved(run.scope('overtaken'), { ...input, tree, merged }, saved, config);
  }
  if (landed.commit === null) {
    const { refused: problems } = landed;
    const reason = problems[0]?.code ?? 'refused';
    const why = { ...NO_PROBLEM, reason, problems, evidence };
    const failed = { do: 'fail', error: errorOf(reason, problems), why, isLast: false } as const;
    return closeFailed(run.scope('refused'), input, failed, config);
  }
  const { commit, usage, pushFailure } = landed;
  if (landed.isProposed === true)
    return closeProposed(run, input, { commit, usage, evidence, proof: proofOf({ ...decision, person }) });
  const checkpoints = await reportedCheckpoints(run, input);
  const isProved = facts.proof !== undefined && person === null;
  const { at } = await readFacts(run, now, {});
  const override =
    person === null
      ? {}
      : { override: { passes: true, reason: person.note || 'accepted at a gate', by: person.by, at: person.at } };
  const patch = { status: 'completed', completed_at: seconds(at), ...override };
  const line = { type: 'Completed', message: `(commit ${short(commit)})` } as const;
  await writeTask(run.scope('done'), 'complete', { facts, checkpoints, patch, lines: [line] });
  const result = isProved ? ({ result: 'landed', reason: 'verified' } as const) : UNPROVED;
  const proof = proofOf({ ...decision, person });
  const outcome = outcomeOf({ ...result, commit, evidence, usage, failure: pushFailure, proof });
  return { outcome, end: { end: 'landed' }, hasFailedAttempt: false };
}
/** The task is under way until its pull request is merged. */
async function closeProposed(
  run: R,
  input: CloseInput,
  of: Pick<Parameters<typeof outcomeOf>[0], 'usage' | 'evidence' | 'proof'> & { readonly commit: string },
): Promise<Closed> {
  const checkpoints = await reportedCheckpoints(run, input);
  const line = { type: 'WARN', message: `proposed (commit ${short(of.commit)}): waits for its merge` } as const;
  await writeTask(run.scope('done'), 'proposed', { facts: input.facts, checkpoints, patch: {}, lines: [line] });
  return {
    outcome: outcomeOf({ result: 'landed', reason: 'proposed', ...of }),
    end: { end: 'landed' },
    hasFailedAttempt: false,
  };
}
const UNPROVED = { result: 'unproved', reason: 'unproved' } as const;

/** The repository is rolled back before the list and the log are written. */
async function closeFailed(
  run: R,
  input: CloseInput,
  { error, why, isLast }: OfDecision<'fail'>,
  config: Config,
): Promise<Closed> {
  const { facts } = input;
  const { attempts, maxAttempts, errorLog, cleanup } = facts.task;
  const back = await rollBackTask(run, input, why, config);
  const patch = {
    status: 'failed',
    attempts: isLast ? Math.max(maxAttempts, attempts + 1) : attempts + 1,
    error_log: [...errorLog, errorLine(error)],
  };
  const kept = back.attempt === null ? '' : ` (kept as ${back.attempt})`;
  const lines = [
    { type: 'ERROR', category: error.category, message: error.message },
    { type: 'ROLLBACK', message: `git reset --hard ${short(back.base)}${kept}` },
    ...(back.isCleanupFailing
      ? [{ type: 'WARN', message: `the cleanup command failed: ${cleanup ?? ''}` } as const]
      : []),
  ] as const;
  await writeTask(run, 'failed', { facts, checkpoints: back.checkpoints, patch, lines });
  const { problems, evidence, failure: cause, reason } = why;
  const result = problems.length > 0 ? 'rejected' : 'failed';
  const outcome = outcomeOf({ result, reason, problems, evidence, failure: cause, usage: back.usage });
  return { outcome, end: { end: 'failed' }, hasFailedAttempt: true };
}

/** The work is kept as work in progress, and the task under way: the next session continues it. */
async function closeSaved(
  run: R,
  input: CloseInput & KeptTree,
  { why, failure: cause }: OfDecision<'save'>,
  config: Config,
): Promise<Closed> {
  const { facts, session, paused } = input;
  const { usage, refused, over } = await save(run, { ...input, why }, config, hooksFor(config));
  const checkpoints = await reportedCheckpoints(run, input);
  const reason = cause?.reason ?? why;
  const message = refused
    ? `the session ended (${reason}), and what it left could not be kept: ${refused.code}`
    : `the session ended (${reason}); work in progress is kept and continued`;
  const patch = refused ? { status: statusBefore(facts) } : {};
  await writeTask(run, 'saved', { facts, checkpoints, patch, lines: [{ type: 'WARN', message }] });
  const result = paused ? 'paused' : refused ? 'rejected' : 'partial';
  const problems = refused ? [refused] : [];
  const outcome = outcomeOf({ result, reason: refused?.code ?? reason, failure: cause, problems, usage });
  if (refused) return { outcome, end: { end: 'failed' }, hasFailedAttempt: false };
  const end = { end: 'partial', why, isOutage: cause !== null } as const;
  if (!over || paused) return { outcome, end, hasFailedAttempt: false };
  const denied = await askForMore(run, { item: facts.id, session }, over);
  return { outcome: { ...outcome, ...denied }, end, hasFailedAttempt: false };
}

async function closeReleased(
  run: R,
  input: CloseInput,
  { error, failure: cause, skip, blamed }: OfDecision<'release'>,
  config: Config,
): Promise<Closed> {
  const { facts } = input;
  const why = { ...NO_PROBLEM, reason: cause?.reason ?? 'decided-skip', failure: cause };
  const { usage } = await rollBackTask(run, input, why, config);
  const { at } = await readFacts(run, now, {});
  const skipped = skip === null ? {} : { skipped: { reason: skip, at, unblock: false } };
  const line =
    skip === null
      ? ({ type: 'ERROR', category: error.category, message: `${error.message}; no attempt is counted` } as const)
      : ({ type: 'WARN', message: `left out: ${skip}` } as const);
  const patch = { status: statusBefore(facts), ...skipped };
  await writeTask(run.scope('done'), 'released', { facts, patch, lines: [line] });
  if (blamed !== undefined) await giveBack(run.scope('blamed'), blamed);
  // The loop waits for an outage to end; a failure that the user has to fix stops the run.
  const outcome = outcomeOf(
    skip === null
      ? {
          result: cause?.policy === 'needs-human' ? 'blocked' : 'partial',
          reason: cause?.reason ?? 'error',
          failure: cause,
          usage,
        }
      : { result: 'skipped', reason: 'decided-skip', usage },
  );
  return { outcome, end: { end: 'blocked' }, hasFailedAttempt: false };
}

/** The attempt that was counted for an outage of the environment counts no more. */
async function giveBack(run: R, item: string): Promise<void> {
  const { facts } = await readFacts(run, itemSurvey, { item });
  if (facts === null || facts.task.status !== 'failed' || facts.task.attempts === 0) return;
  const attempts = facts.task.attempts - 1;
  const patch = { attempts, status: attempts > 0 ? 'failed' : 'pending' };
  const message = 'its last attempt counts no more: the agent crashed in the same way on the next task';
  await writeTask(run, 'given-back', { facts, patch, lines: [{ type: 'WARN', message }] });
}

/** The status of a task before it was claimed. */
const statusBefore = ({ task }: TaskFacts): TaskStatus => (task.attempts > 0 ? 'failed' : 'pending');

/** Back to where the task started: all commits and files since, then the task's cleanup command. The work is kept as an attempt first. */
async function rollBackTask(run: R, input: CloseInput, why: Rejection, config: Config) {
  const checkpoint = await baseOf(run, input);
  const { usage, attempt } = await reject(run, { ...input, checkpoint, why }, config, hooksFor(config));
  const command = input.facts.task.cleanup;
  const checks = command === null ? [] : [cleanupCheck(command, config)];
  const isCleaned =
    command === null || (await run.do('cleanup', { kind: 'check', purpose: 'cleanup', session: null, checks })).holds;
  const checkpoints = await reportedCheckpoints(run, input);
  return { usage, base: checkpoint.head, attempt, isCleanupFailing: !isCleaned, checkpoints };
}

/** A session that continues work which an older version left on the branch started later than its task. */
async function baseOf(run: R, { facts, checkpoint, session }: CloseInput): Promise<Checkpoint> {
  const { base } = facts.task;
  if (!isOnBranch(facts) || base === null || checkpoint.head.startsWith(base)) return checkpoint;
  return run.do('base', { kind: 'checkpoint', session, item: facts.id, why: 'task_base', of: base });
}

const cleanupCheck = (command: string, { environment }: Config): CheckSpec =>
  checkOf('cleanup', command, 'environment', Math.round(environment.timeoutMinutes * 60_000));

type Checkpoints = z.output<typeof checkpointsSchema>;

/** Steps that the agent reported, with those that the list has already. */
async function reportedCheckpoints(run: R, { facts, session }: CloseInput): Promise<Checkpoints> {
  const { reported } = await readFacts(run, reportedSteps, { session });
  return merged(facts.task.checkpoints, reported);
}

/** Fields of the task and lines of the log, in one action. */
export async function writeTask(
  run: R,
  name: string,
  about: {
    readonly facts: TaskFacts;
    /** Steps that the agent reported; left out: none since the list was read. */
    readonly checkpoints?: Checkpoints;
    /** N of SESSION-N in which they were reported; left out: in this one. */
    readonly reportedIn?: number;
    /** Lines of the run, before those of the task. */
    readonly before?: readonly Omit<LogLine, 'at' | 'session' | 'task'>[];
    readonly patch: { readonly [field: string]: Json | undefined };
    readonly lines: readonly Omit<LogLine, 'at' | 'session' | 'task'>[];
  },
): Promise<void> {
  const { facts, checkpoints = facts.task.checkpoints, before = [], patch, lines } = about;
  const session = facts.task.run;
  const of = { session, task: facts.id };
  const ofSteps = { ...of, session: about.reportedIn ?? session };
  const step = run.scope(`write-${name}`);
  const { at } = await readFacts(step, now, {});
  const fields = checkpoints === facts.task.checkpoints ? patch : { ...patch, checkpoints };
  await step.do(name, {
    kind: 'write',
    edit: editCall(patchTaskEdit, { item: facts.id, patch: defined(fields) }),
    lines: [
      ...before.map((line) => logLine({ at, session, ...line })),
      ...newSteps(facts, checkpoints).map(({ step: n, total, description, timestamp }) =>
        logLine({ at: timestamp, type: 'CHECKPOINT', message: `step=${n}/${total} "${description}"`, ...ofSteps }),
      ),
      ...lines.map((line) => logLine({ at, ...of, ...line })),
    ],
  });
}

const defined = (fields: { readonly [field: string]: Json | undefined }): { [field: string]: Json } =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Steps that are not in the log yet. */
const newSteps = (facts: TaskFacts, reported: Checkpoints): Checkpoints =>
  reported.filter(
    (one) => !facts.task.checkpoints.some((known) => known.step === one.step && known.description === one.description),
  );

/** The usual abbreviation of a commit. */
export const short = (commit: string): string => commit.slice(0, 7);
