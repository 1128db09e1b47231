// One run, from lock to release: drives the loop's machine until it ends.
import { join } from 'node:path';
import { type DriveEnd, drive } from '../../engine/driver.ts';
import type { AppliedChange, LoopState } from '../../loop/positions.ts';
import { createMessageQueue, type MessageQueue } from '../../engine/message-queue.ts';
import { lacksRoom } from '../../host/disk-room.ts';
import { STOP_AFTER_SESSION, loopMachine } from '../../loop/machine.ts';
import { lanesFor, mostActions } from '../../loop/lanes.ts';
import { holdOf } from '../../loop/holds.ts';
import { describePull } from '../forge/describe.ts';
import { openForge } from '../forge/open.ts';
import { readBack } from '../forge/read-back.ts';
import { passMessages } from '../../loop/item-messages.ts';
import { emptyLoop, waitingItems, type AsideItem, type ListChange } from '../../loop/run-file.ts';
import { keepState, putBackState } from '../../loop/records/kept-state.ts';
import { itemReports, type ItemReport } from '../../loop/records/reports.ts';
import type { Tape } from '../../loop/tape.ts';
import { RUN_RESULTS, type RunMode, type RunResult } from '../../model/run.ts';
import { endWaits } from '../../loop/records/waits.ts';
import type { Failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { endRunLog, startRunLog } from '../open/run-log.ts';
import { blockerOf, isFrozen, setPaused } from '../open/run-blockers.ts';
import { watchFrozen } from './frozen.ts';
import { done, waiting, watchInbox } from '../list/inbox.ts';
import { pendingChanges } from '../list/pending.ts';
import { hasRunBranch } from '../open/unmerged.ts';
import { checkRoles, type Watcher } from '../open/run-context.ts';
import { withRunLock, tokenBase } from '../open/run-lock.ts';
import { migrateBeforeRun } from '../setup/migrate.ts';
import {
  besideOf,
  continuesBeside,
  modeBeside,
  movedBeside,
  withoutHindered,
  type MovedRun,
} from './continue-beside.ts';
import { dropOldSessionFiles } from './old-sessions.ts';
import { dropOldLines } from './old-logs.ts';
import { prune } from '../open/prune.ts';
import { runName } from '../open/run-name.ts';
import { telemetryOfRun } from '../telemetry/send.ts';
import { noteEscalations } from './escalation-note.ts';
import { firstCheck } from './first-checks.ts';
import { issuesOfRun, NO_ISSUES } from '../issues/during-run.ts';
import { openNotices } from './notices.ts';
import { endTape, NO_TAPE, openTape, restTape, tapeReport, type TapeReport, type TapeRequest } from './tape.ts';
import { type Target, backlogPathOf } from '../open/target.ts';
import { isItemUnderWay, runningItemsIn, unfinishedSessions } from '../open/unfinished-sessions.ts';
import type { RunContext } from '../../loop/run-context.ts';
import { dropEmptyBranches } from '../../repos/run-branch.ts';
import { trySigning } from '../../repos/signing.ts';
import { uncommitted } from '../look/committed.ts';
import { performersOf } from '../../loop/performers/all.ts';

export type RunReport = {
  readonly run: string;
  /** The level of the box of checks; null: the run did no work. */
  readonly sandbox: string | null;
  readonly result: RunResult;
  readonly reason: string;
  readonly failure: Failure | null;
  readonly items: readonly ItemReport[];
  /** Gates the run is waiting at. */
  readonly gates: readonly string[];
  /** Items that were left aside, each for a trouble of its own: the next run tries them again. */
  readonly left: readonly AsideItem[];
  /** Applied changes by message id; without `commit` and `isWritten` if there was nothing to change. */
  readonly applied: readonly AppliedChange[];
  /** The cassette recorded to or played from; left out: none. */
  readonly tape?: TapeReport;
};
export type RunControl = { readonly messages: MessageQueue; readonly stop: AbortController };
export const createControl = (): RunControl => ({ messages: createMessageQueue(), stop: new AbortController() });

export async function runLoop(
  target: Target,
  mode: RunMode,
  command: string,
  control: RunControl,
  watcher: Watcher,
  asked: TapeRequest = NO_TAPE,
  moved: MovedRun | null = null,
): Promise<Result<RunReport>> {
  const [needed] = target.needed;
  if (mode.work && needed) return err(needed);
  const refused = blockerOf(target, mode);
  if (refused !== null) return err(refused);
  const missing = await firstCheck(target, mode, asked);
  if (missing !== null) return err(missing);
  const run = moved?.run ?? runName(target.clock, mode.work ? 'r' : 'c');
  let isMoving = false;
  const isUnattended = mode.untilDone && mode.acceptUnsandboxed !== true;
  const need = !mode.work ? 'no-box' : isUnattended ? 'unattended' : 'box';
  const ended = await withRunLock<RunReport>(
    target,
    run,
    command,
    need,
    watcher,
    async ({ context: opened, beside, events }) => {
      putBackState(opened);
      const state = mode.work ? await migrateBeforeRun(target, opened) : ok(null);
      if (!state.ok) return state;
      const full = mode.work ? lacksRoom([target.workspaceDir, opened.root]) : null;
      if (full !== null) return err(full);
      if (mode.work) dropOld(target);
      const about = { run, mode, isInterrupted: isInterrupted(target) };
      const tape = mode.work ? await openTape(target, asked, about) : ok(null);
      if (!tape.ok) return tape;
      const notices = mode.work ? await openNotices(target, opened) : null;
      const notify: RunContext['notify'] = (event) => {
        opened.notify(event);
        notices?.event(event);
        if (mode.work && event.type === 'item-ended') {
          dropOld(target);
          prune(target);
        }
      };
      const watched = { notify, catalogue: opened.catalogue, tape: tape.value };
      const issues = mode.work ? issuesOfRun(target, watched) : NO_ISSUES;
      const context: RunContext = {
        ...opened,
        tape: tape.value,
        isUnattended: mode.untilDone,
        isAlone: mode.isAlone === true,
        openForge: (signal) => openForge(target, signal),
        describePull: (landing) => describePull(opened.git, landing, opened.catalogue),
        ...(issues.afterItem === null ? {} : { syncIssues: issues.afterItem }),
        notify,
      };
      if (mode.work) await tellUnsigned(context);
      if (mode.work) await tellUncommitted(target, context);
      const roles = mode.work ? await checkRoles(context, target.machine.roles) : ok(null);
      if (!roles.ok) return roles;
      // Driving the loop would abandon the interrupted session; the changes stay in the inbox until it has ended.
      if (!mode.work && isInterrupted(target))
        return ok({ ...emptyReport(run, null), result: 'blocked', reason: 'session-interrupted' });
      const read = mode.work ? await readBack(target, context, control.stop.signal) : ok(null);
      if (!read.ok) return read;
      const synced = await issues.atStart?.(control.stop.signal);
      if (synced !== undefined && !synced.ok) return synced;
      const posted = new Set<string>();
      const inbox = watchInbox(target.workspaceDir, () => readInbox(target, control, { run, posted, context }));
      const freeze = mode.work ? watchFrozen(target, () => control.stop.abort()) : null;
      try {
        const { messages, stop } = control;
        const log = mode.work ? await startRunLog(context, mode, beside) : ok({ mode, limit: null });
        if (!log.ok) return log;
        const { limit } = log.value;
        if (limit !== null) return ok({ ...emptyReport(run, context.box.level), result: 'limit', reason: limit });
        const trees = await context.lanes?.prepare(lanesFor(target.config.lanes).filter((lane) => lane > 0));
        if (trees?.ok === false) return trees;
        if (mode.work && moved === null)
          events.event({ type: 'run-started', level: 'important', data: { command, limit: mode.maxSessions } });
        const end = await driveLoop(target, context, log.value.mode, { run, messages, signal: stop.signal });
        // A change of a user may have it count from zero.
        keepState(opened);
        const closed = mode.work ? await endRunLog(context) : ok(null);
        if (!closed.ok) return closed;
        // A stopped run leaves its waits to the next one; any other end clears them.
        if (end.end === 'verdict' && end.verdict !== 'gate') endWaits(context);
        const report = reportOf(target, { run, moved }, mode.work ? context.box.level : null, end);
        const { result, reason, gates } = report;
        isMoving = mode.work && tape.value === null && continuesBeside(target, report);
        if (isMoving) {
          notify({ type: 'continues-beside', level: 'critical', data: report.failure?.params ?? {} });
          return ok(report);
        }
        if (mode.work) events.event({ type: 'run-ended', level: 'important', data: { result, reason, gates } });
        if (mode.work) noteEscalations(target, context, report.failure);
        await notices?.ended(report, mode);
        return tape.value === null ? ok(report) : await withTape(target, tape.value, end, report);
      } finally {
        inbox.close();
        freeze?.close();
        if (mode.work && !isInterrupted(target)) await dropEmptyBranches(target.git, target);
      }
    },
    mode.work ? 'run' : addsToRemote(target) || (await hasRunBranch(target)) ? 'agents' : 'user',
  );
  if (isMoving && ended.ok)
    return runLoop(besideOf(target), modeBeside(mode), command, control, watcher, asked, movedBeside(ended.value));
  if (mode.work) telemetryOfRun(target, run);
  return ended;
}

/** Items are added on the remote, which the work tree of agents follows: what a user edits in their own is in no way. */
const addsToRemote = (target: Target): boolean =>
  target.machine.adds !== undefined &&
  target.config.forge.kind !== 'none' &&
  pendingChanges(target).some(({ edit }) => edit.name === 'add');

/** Adds the recording or the replay's outcome: a replay that departs from the recording has no result of its own. */
async function withTape(
  target: Target,
  tape: Tape,
  end: DriveEnd<LoopState>,
  report: RunReport,
): Promise<Result<RunReport>> {
  const isWaiting = end.end === 'waiting' || (end.end === 'verdict' && end.verdict === 'gate');
  if (end.end !== 'verdict' || isWaiting) restTape(target, tape, isWaiting);
  const ended = end.end === 'verdict' && !isWaiting ? await endTape(target, tape, report) : ok(null);
  if (!ended.ok) return ended;
  const recorded = { ...report, tape: tapeReport(target, tape) };
  const { value: departed } = ended;
  return ok(
    departed === null ? recorded : { ...recorded, result: 'blocked', reason: departed.reason, failure: departed },
  );
}

/** Turns inbox messages into messages of the loop. A change stays in the inbox until the loop has stored it. */
function readInbox(
  target: Target,
  control: RunControl,
  { run, posted, context }: { readonly run: string; readonly posted: Set<string>; readonly context: RunContext },
): void {
  for (const { id, message } of waiting(target.workspaceDir)) {
    const forget = (): void => done(target.workspaceDir, target.io, id);
    if (message.type === 'change') {
      // Only the inbox has it until the loop has stored it.
      const body = toJson({ subject: message.subject, item: message.item, edit: message.edit });
      // A skipped item is not continued: its session ends, and its work is kept.
      if (!posted.has(id) && isSkip(message) && message.item !== null)
        control.messages.postTo(message.item, { type: 'pause' });
      if (!posted.has(id)) control.messages.post({ type: 'message', id, body }, forget);
      posted.add(id);
      continue;
    }
    if (message.run === null || message.run === run) {
      if (message.type === 'pause') {
        setPaused(target);
        control.messages.post({ type: 'pause' });
      } else if (message.type === 'item') steerItem(context, control, message.item);
      else if (message.now) control.stop.abort();
      else control.messages.post({ type: 'message', id, body: STOP_AFTER_SESSION });
    }
    forget();
  }
}

const isSkip = ({ edit }: Pick<ListChange, 'edit'>): boolean =>
  edit.name === 'flag' && edit.input.change.type === 'skipped';

/** A held item ends its session; what people wrote to it reaches the agent at work. */
function steerItem(context: RunContext, { messages }: RunControl, item: ItemId): void {
  if (holdOf(context, item) !== null) messages.postTo(item, { type: 'pause' });
  const session = unfinishedSessions(context.workspaceDir, item).findLast((one) => context.sessions.live(one) !== null);
  const live = session === undefined ? null : context.sessions.live(session);
  if (session !== undefined && live !== null)
    void context.sessions.inTurn(() => passMessages(context, item, { session, live }));
}

/** At most once a day: each session that was ever begun is looked at. */
function dropOld(target: Target): void {
  if (dropOldLines(target)) dropOldSessionFiles(target);
}

/** A session was interrupted, or waits in the work tree: the next run resumes it. */
const isInterrupted = ({ workspaceDir }: Target): boolean => isItemUnderWay(workspaceDir);

const emptyReport = (run: string, sandbox: string | null) => ({
  run,
  sandbox,
  failure: null,
  items: [],
  gates: [],
  left: [],
  applied: [],
});

/** However the run ended, the report contains the items it worked on. */
function reportOf(
  target: Target,
  { run, moved }: { readonly run: string; readonly moved: MovedRun | null },
  sandbox: string | null,
  end: DriveEnd<LoopState>,
): RunReport {
  const { state } = end;
  const none = emptyReport(run, sandbox);
  const items = withoutHindered(itemReports(target.workspaceDir, run), moved);
  const base =
    state?.file.run === run ? { ...none, items, left: state.file.aside ?? [], applied: state.mem.applied } : none;
  switch (end.end) {
    case 'verdict': {
      const { at, file } = end.state;
      const result = RUN_RESULTS.find((one) => one === end.verdict) ?? 'done';
      const gates = waitingItems(file).map(({ gate }) => gate);
      return { ...base, gates, result, reason: end.reason, failure: at.stage === 'ended' ? at.failure : null };
    }
    case 'waiting':
      return { ...base, result: 'gate', reason: 'gate', gates: end.on };
    case 'stopped':
      return { ...base, result: 'paused', reason: isFrozen(target) ? 'frozen' : 'stopped' };
    case 'blocked':
      return { ...base, result: 'blocked', reason: end.failure.reason, failure: end.failure };
  }
}

export const driveLoop = (
  target: Target,
  context: RunContext,
  mode: RunMode,
  { run, messages, signal }: { readonly run: string; readonly messages: MessageQueue; readonly signal: AbortSignal },
): Promise<DriveEnd<LoopState>> =>
  drive(loopMachine(mode, aboutLoop(target, context)), () => emptyLoop(run), {
    io: target.io,
    clock: target.clock,
    performers: performersOf(context, messages),
    journal: join(target.workspaceDir, 'loop.jsonl'),
    file: join(target.workspaceDir, 'loop.json'),
    base: `${tokenBase(target)}${run}`,
    messages,
    signal,
    limit: context.lanes === null ? 1 : mostActions(target.config.lanes, runningItemsIn(target.workspaceDir).length),
  });

const aboutLoop = (target: Target, { lanes }: RunContext) => ({
  path: backlogPathOf(target),
  machine: target.machine,
  lanes: lanesFor(lanes === null ? 1 : target.config.lanes),
});

/** Signing is configured and needs a person, who is not there later: said before any work. */
async function tellUnsigned({ git, notify }: RunContext): Promise<void> {
  const signing = await trySigning(git);
  if (signing.ok && signing.value === 'needs-person') notify({ type: 'unsigned', level: 'critical', data: {} });
}

/** What a user changed and expects to count. */
async function tellUncommitted(target: Target, { notify }: RunContext): Promise<void> {
  if (!target.hasGit) return;
  for (const file of await uncommitted(target, target.config.playbook.backlog))
    notify({ type: 'uncommitted', level: 'critical', data: { file } });
}
