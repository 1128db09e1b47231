// The status of the project as data. Takes no lock and works during a run; starts a process only if an item is active.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '../../engine/backlog.ts';
import { tailOf } from '../../host/files.ts';
import type { LockOwner } from '../../host/lock.ts';
import { readClock } from '../../host/source-watch.ts';
import type { Apart } from '../../model/expected-files.ts';
import type { ItemId, ItemStatus } from '../../model/item.ts';
import { toJson, type Json } from '../../model/json.ts';
import type { PlaybookStatus } from '../../model/playbook-status.ts';
import { ok, type Result } from '../../model/result.ts';
import { promptFor } from './next-prompt.ts';
import { nextItemOf, readCurrentItems, type CurrentItems } from './current-items.ts';
import type { ContextFill, ItemStage } from './session-details.ts';
import { uncommitted } from './committed.ts';
import { daemonState } from './daemon-state.ts';
import { isFrozen, isPaused, readHandoff } from '../open/run-blockers.ts';
import type { StatusAnswer } from './status-answer.ts';
import type { ActiveSession } from './active-sessions.ts';
import { landingOrder } from '../../loop/landing-queue.ts';
import { keptSummary, lastSession, readState, stuckCountIn, type LastSession } from './state-summary.ts';
import { readSpending, spendingJson, type Spending } from './spending.ts';
import { keptPath } from '../../repos/records.ts';
import { healthAt, type StatusHealth } from '../../loop/records/measured.ts';
import { unpushedIn, type Unpushed } from '../../loop/records/unpushed.ts';
import { waitsIn, type Wait } from '../../loop/records/waits.ts';
import { windowsOfAccounts, type AccountWindow } from '../../loop/records/accounts.ts';
import { branchJson, unmergedHere } from './unmerged.ts';
import type { UnmergedBranch } from '../../repos/run-branch.ts';
import type { ProjectView } from '../open/project-view.ts';

/** Where `.harness/` was removed the sessions themselves tell. Most projects have their state, and load nothing for it. */
async function lastBegun({ workspaceDir }: ProjectView): Promise<number> {
  const { begunSessions } = await import('../../loop/sessions.ts');
  return Math.max(0, ...begunSessions(workspaceDir));
}

type LaneStatus = ActiveSession &
  ItemStage & {
    readonly stuckCount: number;
    readonly context: ContextFill | null;
    /** The top of the work tree that its agent is in. */
    readonly workspace: string;
    /** In the order of landings; null: it does not land yet. */
    readonly place: number | null;
  };
type Counts = { readonly total: number } & { readonly [S in ItemStatus]: number };
export type Status = {
  readonly view: ProjectView;
  readonly isSetUp: boolean;
  /** The number of the active session, else of the last. */
  readonly session: number;
  readonly counts: Counts;
  /** Sessions of a live run. */
  readonly lanes: readonly LaneStatus[];
  /** Sessions that were interrupted or wait at a gate. */
  readonly interrupted: readonly ActiveSession[];
  /** Items that wait for an answer in the work tree of a lane. */
  readonly waiting: readonly ActiveSession[];
  /** Items that wait for one at work, as both are expected to change the same file. */
  readonly apart: readonly Apart[];
  readonly owner: LockOwner | null;
  readonly last: LastSession | null;
  readonly next: { readonly item: ItemId | null; readonly title: string; readonly prompt: string };
  readonly spending: Spending;
  readonly gates: CurrentItems['gates'];
  /** Tests in quarantine, with the time it ends. */
  readonly flaky: readonly { readonly id: string; readonly since: string; readonly expires: string }[];
  /** Files that count as they are committed, and that a user has changed since. */
  readonly uncommitted: readonly string[];
  readonly isPaused: boolean;
  readonly isFrozen: boolean;
  /** Why the last push was refused; null: it was not, or there was none. */
  readonly unpushed: Unpushed | null;
  /** Usage of the quota windows of the agents' accounts, as far as known. */
  readonly quota: readonly AccountWindow[];
  /** What the run is waiting for, by the time of the next try. */
  readonly waits: readonly Wait[];
  /** The user has the work since then; null: not handed off. */
  readonly handedOff: { readonly since: string; readonly by: string; readonly item: ItemId | null } | null;
  readonly stuckCount: number;
  /** By what was measured at the last landing; null: nothing was. */
  readonly health: StatusHealth | null;
  /** The list's own count of runs and the last lines of its log; null: it keeps none. */
  readonly counted:
    | (NonNullable<Listing['sessions']> & { readonly log: readonly string[]; readonly lines: readonly string[] })
    | null;
  /** The playbook's own status lines; null: none. */
  readonly playbookStatus: PlaybookStatus | null;
  /** Where what landed waits to be merged; null: nothing does. */
  readonly branch: UnmergedBranch | null;
  /** What the daemon shows of itself; null: the playbook's list is worked on by no daemon, or none was started. */
  readonly daemon: Json;
  readonly json: StatusAnswer;
};

export async function readStatus(view: ProjectView): Promise<Result<Status>> {
  const found = await readCurrentItems(view);
  if (!found.ok) return found;
  const read = readState(view);
  if (!read.ok) return read;
  const isGone = read.value.schema === null;
  const known = isGone ? keptSummary(view) : read.value;
  const state = ok({ ...known, lastSession: Math.max(known.lastSession, isGone ? await lastBegun(view) : 0) });
  const { active, gates, items, isSetUp, list } = found.value;
  const { current, stuckCount, prompt } = state.value;
  const stuckOf = (item: ItemId): number => (current === item ? stuckCount : 0);
  const working = active.isLive ? active.sessions : [];
  const nextItem = nextItemOf(found.value, prompt === 'continuation' ? current : null);
  const counts = countsOf(items);
  const facts = {
    view,
    isSetUp,
    session: Math.max(state.value.lastSession, ...working.map(({ session }) => session)),
    counts,
    lanes: await lanesOf(view, working, stuckOf, list),
    interrupted: active.isLive ? [] : active.sessions,
    waiting: active.sessions.filter(({ item }) => gates.some((gate) => gate.item === item)),
    apart: active.apart,
    owner: active.owner,
    last: lastSession(view, state.value, active),
    next: {
      item: nextItem,
      title: items.find(({ id }) => id === nextItem)?.title ?? '',
      prompt: list.prompt ?? (await promptFor(view, state.value, nextItem)),
    },
    spending: await readSpending(view),
    gates,
    flaky: await flakyOf(view),
    uncommitted: view.hasGit ? await uncommitted(view, view.playbook) : [],
    isPaused: isPaused(view),
    isFrozen: isFrozen(view),
    unpushed: unpushedIn(view.workspaceDir),
    quota: quotaOf(view),
    waits: active.isLive || active.sessions.length > 0 ? waitsIn(view.workspaceDir) : [],
    handedOff: handedOff(view),
    stuckCount,
    health: healthAt(view.workspaceDir, counts),
    counted: countedIn(view, list),
    playbookStatus: list.status ?? null,
    branch: await unmergedHere(view),
    daemon: toJson(daemonState(view)),
  };
  return ok({ ...facts, json: jsonOf(facts) });
}

/** Log lines shown. */
const LOG_LINES = 5;
const LOG_BYTES = 4_096;

function countedIn({ root, progress }: ProjectView, { sessions, lines: items = [] }: Listing): Status['counted'] {
  if (sessions === undefined) return null;
  const lines = tailOf(join(root, progress), LOG_BYTES).split('\n');
  return { ...sessions, log: lines.filter((line) => line !== '').slice(-LOG_LINES), lines: items };
}

function handedOff(view: ProjectView): Status['handedOff'] {
  const note = readHandoff(view);
  return note && { since: note.since, by: note.by, item: note.item };
}

/** A window is shown until it is reset; one without that time counts for a while that is not said here. */
const quotaOf = ({ privateDir }: ProjectView): readonly AccountWindow[] =>
  readClock((now) => {
    const value = windowsOfAccounts(privateDir, now);
    return { value, until: Math.min(...value.map(({ resetsAt }) => (resetsAt === null ? now : Date.parse(resetsAt)))) };
  });

/** Most repositories have no such file. An unreadable one is reported by the next check. */
async function flakyOf(view: ProjectView): Promise<Status['flaky']> {
  if (!existsSync(keptPath(view, 'quarantine.json'))) return [];
  const { quarantineOf } = await import('../../loop/records/quarantine.ts');
  const { heldAt } = await import('../../verify/quarantine.ts');
  const all = quarantineOf(view);
  if (!all.ok) return [];
  return readClock((now) => {
    const held = heldAt(all.value, new Date(now).toISOString());
    const ends = held.map(({ expires }) => Date.parse(expires));
    return { value: held.map(({ id, since, expires }) => ({ id, since, expires })), until: Math.min(...ends) };
  });
}

async function lanesOf(
  view: ProjectView,
  working: readonly ActiveSession[],
  stuckOf: (item: ItemId) => number,
  list: Pick<Listing, 'stage'>,
): Promise<readonly LaneStatus[]> {
  if (working.length === 0) return [];
  const { contextFillOf, stageOf } = await import('./session-details.ts');
  const { rootOfSessions, workTreeOfLane } = await import('../../repos/work-trees.ts');
  const placeOf = (lane: number): string =>
    lane === 0 ? rootOfSessions(view.root, view.workspaceDir) : workTreeOfLane(view.root, lane);
  const order = landingOrder(view.workspaceDir);
  return working.map((one) => ({
    ...one,
    ...staged(stageOf(view.workspaceDir, one), list.stage?.(one.item) ?? null),
    stuckCount: one.lane > 0 ? stuckCountIn(view, one.item) : stuckOf(one.item),
    place: order.includes(one.item) ? order.indexOf(one.item) + 1 : null,
    context: contextFillOf(view.workspaceDir, one.session),
    workspace: placeOf(one.lane),
  }));
}

/** A list may name the phase of an item whose machine is at work. */
const staged = (found: ItemStage, named: string | null): ItemStage =>
  found.stage === null || named === null ? found : { ...found, stage: named };

function countsOf(items: CurrentItems['items']): Counts {
  const counts = {
    total: items.length,
    landed: 0,
    unproved: 0,
    pending: 0,
    ready: 0,
    active: 0,
    waiting: 0,
    blocked: 0,
    skipped: 0,
    failed: 0,
  };
  for (const { status } of items) counts[status] += 1;
  return counts;
}

const jsonOf = (s: Omit<Status, 'json'>): StatusAnswer => ({
  playbook: s.view.playbook,
  project: s.view.project,
  repo: s.view.root,
  set_up: s.isSetUp,
  session: s.session,
  items: { ...s.counts },
  lanes: s.lanes.map((lane) => ({
    item: lane.item,
    stage: lane.stage,
    session: lane.session,
    stuck_count: lane.stuckCount,
    since: lane.since,
    slot: lane.lane,
    gate: s.gates.find(({ item }) => item === lane.item)?.id ?? null,
    landing_place: lane.place,
    workspace: lane.workspace,
    stage_since: lane.stageSince,
    context: lane.context,
  })),
  interrupted: s.interrupted.map(({ item, session }) => ({ item, session })),
  ...(s.apart.length === 0 ? {} : { apart: s.apart.map((one) => ({ ...one })) }),
  run: s.owner && { id: s.owner.run, pid: s.owner.pid, since: s.owner.startedAt, command: s.owner.command },
  last: s.last && { ...s.last },
  next: { item: s.next.item, prompt: s.next.prompt },
  cost: spendingJson(s.spending),
  gates: s.gates.length,
  flaky: s.flaky.map((one) => ({ ...one })),
  ...(s.uncommitted.length === 0 ? {} : { uncommitted: s.uncommitted }),
  paused: s.isPaused,
  unpushed: s.unpushed && { at: s.unpushed.at, reason: s.unpushed.failure.reason, ...s.unpushed.failure.params },
  quota: s.quota.map(({ provider, window, used, resetsAt }) => ({ provider, window, used, resets_at: resetsAt })),
  waiting: s.waits.map(({ schema: _, ...wait }) => wait),
  handed_off: s.handedOff && { ...s.handedOff },
  frozen: s.isFrozen,
  health: s.health && { ...s.health },
  ...(s.branch === null ? {} : { branch: branchJson(s.branch) }),
  ...(s.daemon === null ? {} : { daemon: s.daemon }),
  ...(s.playbookStatus === null ? {} : { [s.playbookStatus.name]: s.playbookStatus.json }),
  ...(s.counted === null
    ? {}
    : { sessions: { count: s.counted.count, max: s.counted.max, last: s.counted.last }, log: s.counted.log }),
});
