// The lanes of a run: a work tree for each, beside the one of the run, made before the first agent begins. They are kept for the next run,
// and removed when fewer are configured.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemAlarm } from '../../host/clock.ts';
import { openLandingQueue } from '../../loop/landing-queue.ts';
import { lanesFor } from '../../loop/lanes.ts';
import { stateFolderOfItem } from '../../loop/state-of-item.ts';
import { rootFor, type LanePlace, type LaneTrees, type RunContext } from '../../loop/run-context.ts';
import { openSharedChecks } from '../../loop/shared-checks.ts';
import { addAmounts, openShares, type Shares } from '../../loop/shares.ts';
import { openStartLimit } from '../../loop/start-limit.ts';
import { openRoles } from '../../memory/roles.ts';
import { promptsFolder } from '../../host/package-root.ts';
import { amountsOf, NO_AMOUNTS } from '../../model/budget.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Git } from '../../repos/git.ts';
import { openRepositoryView } from '../../repos/repository-view.ts';
import { sweepLocks } from '../../repos/sweep.ts';
import { addWorkTree, knownLanes, laneFolders, removeWorkTree, workTreeOfLane } from '../../repos/work-trees.ts';
import { agentNotes } from './agent-notes.ts';
import { keptRecords } from './kept-records.ts';
import { boxesOf } from './sandbox.ts';
import type { Target } from './target.ts';
import { lanesUnderWay, runningItemsIn, unfinishedSessions } from './unfinished-sessions.ts';
import { openTree } from './work-tree.ts';

/** `branch`: what all of them land on. */
type LandsOn = { readonly token: string; readonly branch: string };
export type OpenLanes = { readonly lanes: LaneTrees; close(): Promise<void> };

/** `users`: git of the user's work tree. */
export function openLanes(
  target: Target,
  users: Git,
  run: Pick<RunContext, 'box' | 'notify' | 'notifyAgentEvent' | 'sessions'>,
  how: LandsOn,
): OpenLanes {
  const made = new Map<number, Promise<Result<unknown>>>();
  const opened = new Map<number, Promise<Result<Lane>>>();
  const laneOf = (number: number): Promise<Result<Lane>> => {
    const opening = opened.get(number) ?? openMade(number);
    opened.set(number, opening);
    return opening;
  };
  const openMade = async (number: number): Promise<Result<Lane>> => {
    const there = await (made.get(number) ?? ok(null));
    return there.ok ? openLane(target, users, run, how, number) : there;
  };
  const lanes: LaneTrees = {
    async prepare(numbers) {
      const failed: Result<never>[] = [];
      for (const number of numbers) {
        makeLaneFolder(target, number);
        const making = addWorkTree(users, workTreeOfLane(target.root, number));
        making.then(
          (one) => one.ok || failed.push(one),
          () => undefined, // `prepared` and `of` reject
        );
        made.set(number, making);
      }
      // What is in the way of one is seen at once, while git makes the first.
      await made.get(numbers[0] ?? 0);
      return failed[0] ?? ok(null);
    },
    async prepared() {
      const all = await Promise.all(made.values());
      return all.find((one) => !one.ok) ?? ok(null);
    },
    async of(number, item) {
      const isUsed = opened.has(number);
      const lane = await laneOf(number);
      if (!lane.ok) return lane;
      const place = placeFor(target, run.sessions, lane.value, item);
      return ok(isUsed || !lane.value.isAtTip ? place : { ...place, bring: () => Promise.resolve(ok(null)) });
    },
    ...openLandingQueue({ workspaceDir: target.workspaceDir, io: target.io, notify: run.notify, alarm: systemAlarm }),
    shares: sharesUnderWay({ workspaceDir: target.workspaceDir, sessions: run.sessions }),
    checks: openSharedChecks(),
    starts: openStartLimit(systemAlarm),
  };
  return {
    lanes,
    async close() {
      await Promise.allSettled(made.values());
      const all = await Promise.all(opened.values());
      await Promise.all(all.flatMap((lane) => (lane.ok ? [lane.value.close()] : [])));
    },
  };
}

/** What sessions that a crash cut have used belongs to no record yet. */
export function sharesUnderWay({ workspaceDir, sessions }: Pick<RunContext, 'workspaceDir' | 'sessions'>): Shares {
  const shares = openShares();
  for (const { item, lane, gate } of runningItemsIn(workspaceDir)) {
    if (gate !== undefined) continue;
    const used = unfinishedSessions(workspaceDir, item).map((session) => {
      const { usage, ms } = sessions.record(session);
      return amountsOf(usage, ms);
    });
    shares.take(lane, { item, amounts: used.reduce(addAmounts, NO_AMOUNTS), isOpen: false });
  }
  return shares;
}

type Lane = {
  readonly place: Omit<LanePlace, 'view' | 'ledger'>;
  /** Opening it brought it to the tip of the branch. */
  readonly isAtTip: boolean;
  close(): Promise<void>;
};

async function openLane(
  target: Target,
  users: Git,
  run: Pick<RunContext, 'box' | 'notify' | 'notifyAgentEvent' | 'sessions'>,
  { token, branch }: LandsOn,
  number: number,
): Promise<Result<Lane>> {
  const { root: userRoot, workspaceDir, clock, io, machine, stateDir } = target;
  const treeDir = makeLaneFolder(target, number);
  const path = workTreeOfLane(userRoot, number);
  const ask = {
    path,
    branch,
    noteIn: treeDir,
    isBegun: lanesUnderWay(workspaceDir).has(number),
    keeps: false,
  };
  const opened = await openTree(target, users, token, ask);
  if (!opened.ok) return opened;
  const { root, git, bring } = opened.value;
  sweepLocks(git, clock.now());
  const { box, boxAt } = await boxesOf({ ...target, root }, run.box.level);
  const view = openRepositoryView(git, root, clock, keptRecords({ ...target, treeDir }, run.sessions));
  const notes = agentNotes(machine, { git, io, clock, stateDir });
  const place: Lane['place'] = {
    root,
    git,
    bring,
    lane: number,
    treeDir,
    box,
    openBoxAt: boxAt,
    roles: openRoles({ shipped: promptsFolder(), own: (file) => view.readAt('HEAD', file) }),
    notifyAgentEvent(session, event) {
      run.notifyAgentEvent(session, event);
      notes.record(session, event);
    },
  };
  const close = async (): Promise<void> => {
    await notes.settled();
    await Promise.all([box.close(), git.rest()]);
  };
  return ok({ place, isAtTip: !ask.isBegun, close });
}

/** Its state. Made before its work tree: a lane that has one is known. */
function makeLaneFolder({ workspaceDir }: Pick<Target, 'workspaceDir'>, number: number): string {
  const folder = join(laneFolders(workspaceDir), String(number));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Each item has a state file of its own: several are at work, and it counts what became of one. */
function placeFor(target: Target, sessions: RunContext['sessions'], { place }: Lane, item: string): LanePlace {
  const { root, git, treeDir } = place;
  const { root: userRoot, machine, clock, workspaceDir, config } = target;
  const shown = `${config.paths.stateDir}/${machine.ledger}`;
  const folder = stateFolderOfItem(workspaceDir, item);
  const rootOf = (path: string): string =>
    path === shown ? folder : rootFor({ root, userRoot, git, config, machine }, path);
  const view = openRepositoryView(git, root, clock, keptRecords({ ...target, treeDir }, sessions), rootOf);
  return { ...place, view, ledger: join(folder, shown) };
}

/** Work trees of lanes that no item is under way in and that are not configured any more. */
export async function removeLanes(target: Target, users: Git): Promise<Result<null>> {
  const { workspaceDir, root, config, io } = target;
  const inUse = lanesUnderWay(workspaceDir);
  const wanted = lanesFor(config.lanes);
  for (const lane of knownLanes(workspaceDir)) {
    if (inUse.has(lane) || wanted.includes(lane)) continue;
    const removed = await removeWorkTree(users, workTreeOfLane(root, lane));
    if (!removed.ok) return removed;
    io.remove(join(laneFolders(workspaceDir), String(lane)));
  }
  return ok(null);
}
