// The daemon's loop: look, do one thing, wait. It is a thin shell around decide.ts and record.ts. What it starts are programs of their own; killed at any
// point and started again, it finds them by the run lock and their answers in their logs. Only the process with the lock of `serve/` runs it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeEnvironment } from '../../host/environment.ts';
import { readText } from '../../host/files.ts';
import { lockOwner } from '../../host/lock.ts';
import { processRow } from '../../host/process-table.ts';
import { isOfItemAlone } from '../../loop/aside.ts';
import { CEILING_REACHED, ceilingOf } from '../../model/budget.ts';
import type { Failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Where } from '../open/project-view.ts';
import { openTarget, type Target } from '../open/target.ts';
import { answerOf, childOf, named, nameLog, startChild, withRun, type ChildProgram } from './child.ts';
import { decide, looksDeep, type NextStep, type Seen } from './decide.ts';
import { afterFidelity, releaseGate, settleDrift } from './hooks.ts';
import { issuesOfDaemon } from './issues.ts';
import { baseTip, gatesOf, glance, lookDeep, mergedIn } from './look.ts';
import { afterChild, EMPTY_RECORD, noted, tickRecord, withMerges, type Child, type TickRecord } from './record.ts';
import { showState, showTokens, tokensNow, type ShownWait } from './show.ts';
import { openWakes, type Wakes } from './wake.ts';
import type { WatchedPlaces } from '../look/watch-work.ts';

export type Ticking = { close(): Promise<void> };

/** How often a run that another process started is looked for, and a new one for its name. */
const ATTEND_MS = 250;
const recordFile = (workspaceDir: string): string => join(workspaceDir, 'tick.json');

/** `say`: a line for the server's log. */
export function keepTicking(where: Where, places: WatchedPlaces, say: (failure: Failure) => void): Ticking {
  const stop = new AbortController();
  const wakes = openWakes(places);
  const running = loop(where, wakes, stop.signal, say);
  return {
    async close() {
      stop.abort();
      wakes.wake();
      await running;
      wakes.close();
    },
  };
}

/** A failure of one look is said, and the next look comes. */
async function loop(where: Where, wakes: Wakes, signal: AbortSignal, say: (failure: Failure) => void): Promise<void> {
  const shell: Shell = {
    configFile: where.configFile,
    wakes,
    signal,
    started: new Map(),
    start: startChild,
    pause: (ms) => sleep(ms),
    takeIssues: issuesOfDaemon(signal, say),
  };
  while (!signal.aborted) {
    const target = await openTarget(where);
    const done = target.ok ? await tick(target.value, shell) : target;
    if (done.ok) continue;
    say(done.failure);
    await wakes.sleep(FAILED_MS, signal);
  }
}
const FAILED_MS = 60_000;

export type Shell = {
  readonly configFile: string | null;
  readonly wakes: Pick<Wakes, 'sleep' | 'wake'>;
  readonly signal: AbortSignal;
  /** Programs that this process started, by the time of their start. */
  readonly started: Map<string, ChildProgram>;
  readonly start: (...asked: Parameters<typeof startChild>) => ChildProgram | Promise<ChildProgram>;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Asks for new issues where they are the backlog, at most once in the daemon's interval. What is new of them is posted as changes of the list. */
  readonly takeIssues: (target: Target) => Promise<void>;
};

/** One look, and the one thing that follows from it. Gives what that was. */
export async function tick(target: Target, shell: Shell): Promise<Result<NextStep>> {
  const read = readRecord(target);
  if (!read.ok) return read;
  const save = (record: TickRecord): TickRecord => {
    target.io.replace(recordFile(target.workspaceDir), `${JSON.stringify(record)}\n`);
    return record;
  };
  let record = read.value;
  const isLive = lockOwner(target.workspaceDir) !== null;
  const own = record.active === null ? undefined : shell.started.get(record.active.since);
  if (own === undefined && !isLive && isStarting(record, target.clock.now())) {
    await shell.pause(ATTEND_MS);
    return ok({ do: 'attend' });
  }
  if (record.active !== null && own === undefined && !isLive) record = save(await finished(target, record, save));
  if (record.active === null && !isLive) {
    const before = record;
    record = await observed(target, record);
    if (record !== before) save(record);
  }
  const glanced = glance(target, record);
  const rested = await withoutRest(target, record, glanced);
  if (rested !== record) record = save(rested);
  const first = rested === read.value ? glanced : glance(target, record);
  if (looksDeep(first) && own === undefined) await shell.takeIssues(target);
  const deep = looksDeep(first) && own === undefined ? await lookDeep(target, record) : ok(null);
  if (!deep.ok) return deep;
  const seen: Seen = { ...first, isLive: first.isLive || own !== undefined, deep: deep.value };
  const decision = decide(seen);
  const waiting = waitingOf(decision, deep.value?.failure ?? null, record);
  await showState(target, record, waiting);
  switch (decision.do) {
    case 'attend':
      await attend(target, record, own, { ...shell, save });
      return ok(decision);
    case 'answer': {
      const given = await gatesOf(target).answer(decision.gate, { option: 'retry', note: '', by: 'harness daemon' });
      if (!given.ok && given.failure.reason !== 'gate-already-answered') return given;
      const at = target.clock.iso();
      save(noted({ ...record, retries: record.retries + 1 }, { at, event: 'rate_limit_retry', gate: decision.gate }));
      return ok(decision);
    }
    case 'wait': {
      const poll = seen.now + seen.pollMs;
      const until = decision.why === 'resting' ? Math.min(decision.until ?? poll, poll) : decision.until;
      await shell.wakes.sleep(until === null ? null : until - target.clock.now(), shell.signal);
      return ok(decision);
    }
    default:
      await begin(target, record, decision, deep.value?.tip ?? null, { ...shell, save });
      return ok(decision);
  }
}

/** An earlier daemon started it, and it has not taken the run lock yet. */
function isStarting({ active }: TickRecord, now: number): boolean {
  if (active === null || active.run !== null || active.pid === null) return false;
  return now - Date.parse(active.since) < STARTING_MS && processRow(active.pid) !== null;
}
const STARTING_MS = 60_000;

type Saving = Shell & { readonly save: (record: TickRecord) => TickRecord };

/** The record first: what is started is known before it is. */
async function begin(
  target: Target,
  record: TickRecord,
  decision: Extract<NextStep, { do: 'run' | 'look' | 'check-fidelity' }>,
  tip: string | null,
  { configFile, started, start, save }: Saving,
): Promise<void> {
  const { tick: ticks } = target.playbook;
  const isPlan = decision.do === 'run' && decision.plan !== ticks?.fidelity;
  const kind = isPlan ? 'run' : decision.do === 'look' ? 'look' : 'fidelity';
  const made = childOf(target, kind, isPlan ? decision.plan : null);
  const child = { ...made, spent: await tokensNow(target), tip };
  const begun = save({ ...record, active: child });
  const program = await start(target, child, configFile);
  started.set(child.since, program);
  save({ ...begun, active: { ...child, pid: program.pid } });
}

/** Waits until the run that is live, or the program that was started, has ended. */
async function attend(target: Target, first: TickRecord, own: ChildProgram | undefined, shell: Saving): Promise<void> {
  const { signal, wakes, started, pause, save } = shell;
  let record = first;
  let isOver = false;
  void own?.ended.then(() => {
    isOver = true;
    wakes.wake();
  });
  const isGoing = (): boolean => (own === undefined ? lockOwner(target.workspaceDir) !== null : !isOver);
  while (!signal.aborted && isGoing()) {
    const child = record.active === null ? null : named(target, record.active);
    if (child !== null) record = identified(target, record, child, save);
    await showState(target, record, null);
    const isNamed = record.active?.run !== null;
    await (own !== undefined && isNamed ? wakes.sleep(null, signal) : pause(ATTEND_MS));
  }
  if (signal.aborted || record.active === null) return;
  if (own !== undefined) started.delete(record.active.since);
  save(await finished(target, record, save));
}

/** The name of its run is known: it is recorded before the file of its log has it, which is found by either. */
function identified(target: Target, record: TickRecord, child: Child, save: Saving['save']): TickRecord {
  const known = save({ ...record, active: child });
  nameLog(target, child);
  return known;
}

/** The program has ended, seen or not: what it came to. */
async function finished(target: Target, record: TickRecord, save: Saving['save']): Promise<TickRecord> {
  const { active } = record;
  if (active === null) return record;
  const { end, run } = answerOf(target, active);
  const child = active.run === null && run !== null ? withRun(active, run) : active;
  if (child !== active) identified(target, record, child, save);
  const now = target.clock.now();
  const isOfPlanAlone = (reason: string): boolean => isOfItemAlone({ result: 'blocked', reason });
  const after = afterChild({ ...record, active: child }, end, { now, isOfPlanAlone, tip: child.tip ?? null });
  if (child.kind !== 'look' && child.spent !== undefined) await showTokens(target, child, child.spent);
  if (child.kind !== 'fidelity' || end.how !== 'verdict') return after;
  return afterFidelity(target, after, { since: child.since, gates: end.gates });
}

/** What is seen while no run is live: merges and what follows them, the answer to a question of the daemon's own, the tokens. */
async function observed(target: Target, first: TickRecord): Promise<TickRecord> {
  let record = await settleDrift(target, first);
  const merged = await mergedIn(target);
  if (merged !== null) {
    const after = withMerges(record, merged, target.clock.now());
    const isNew = after.history.length !== record.history.length;
    record = isNew ? await releaseGate(target, after) : after;
  }
  const ceiling = ceilingOf(target.config, wholeEnvironment());
  if (ceiling === null || record.ceiling === ceiling) return record;
  const { input, output } = await tokensNow(target);
  if (input + output < ceiling) return record;
  const entry = { at: target.clock.iso(), event: CEILING_REACHED, ceiling, tokens: input + output };
  return noted({ ...record, ceiling }, entry);
}

/** A rest after a failure ends when the base branch has moved: it may have been repaired. */
async function withoutRest(target: Target, record: TickRecord, seen: Omit<Seen, 'deep'>): Promise<TickRecord> {
  const isResting = !seen.isLive && seen.isOn && seen.held === null && seen.restUntil > seen.now;
  if (!isResting || record.rest === null || record.rest.tip === null || record.active !== null) return record;
  const base = await baseTip(target);
  return base.ok && base.value.tip !== record.rest.tip ? { ...record, rest: null } : record;
}

function waitingOf(decision: NextStep, failure: Failure | null, { rest }: TickRecord): ShownWait | null {
  if (decision.do !== 'wait') return null;
  const { why, until } = decision;
  return { why, until, reason: why === 'resting' ? (rest?.why ?? null) : (failure?.reason ?? null) };
}

function readRecord({ workspaceDir }: Target): Result<TickRecord> {
  const file = recordFile(workspaceDir);
  const text = readText(file);
  if (!text.ok) return err(text.failure);
  return text.value === null ? ok(EMPTY_RECORD) : parseJsonFile(text.value, file, tickRecord);
}
