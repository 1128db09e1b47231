// Several lanes in a simulated run: a work tree in memory for each, a state file for each item, and the product's own queue of landings. Which of
// the actions at work is next is drawn from the seed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Performers } from '../../src/engine/types.ts';
import { openLandingQueue } from '../../src/loop/landing-queue.ts';
import { lanesFor } from '../../src/loop/lanes.ts';
import { contextIn, rootFor, type LanePlace, type LaneTrees, type RunContext } from '../../src/loop/run-context.ts';
import { stateFolderOfItem } from '../../src/loop/state-of-item.ts';
import type { Actions } from '../../src/model/action.ts';
import { ok } from '../../src/model/result.ts';
import { createAnswerCache } from '../../src/repos/answer-cache.ts';
import { sharesUnderWay } from '../../src/app/open/lanes.ts';
import { openSharedChecks } from '../../src/loop/shared-checks.ts';
import { openStartLimit } from '../../src/loop/start-limit.ts';
import { isUnderWay, lanesUnderWay } from '../../src/app/open/unfinished-sessions.ts';
import type { Dice } from './chance.ts';
import type { Mission } from './mission.ts';
import type { ProcessRun } from './process-run.ts';
import { besideOf, bringToTip, history, idOf, treeAt, type Commit, type Repository } from './repository.ts';
import type { Own } from './time.ts';
import { worldOf } from './world.ts';

/** What an agent in another work tree of the mission works on; everything else is the same. */
export function missionIn(mission: Mission, lane: number): Mission {
  const root = join(mission.root, `.lane-${lane}`);
  const stateDir = join(root, '.harness');
  mkdirSync(stateDir, { recursive: true });
  return {
    ...mission,
    root,
    stateDir,
    repo: besideOf(mission.repo, lane),
    later: null,
    get violation() {
      return mission.violation;
    },
    set violation(found) {
      mission.violation = found;
    },
  };
}

/** Git of a work tree in memory: which tree a commit has, and which commits come before it, is all that it is asked for. */
export const simulatedGit = (repo: Repository): RunContext['git'] =>
  ({
    own: [],
    carried: [],
    gitDir: '/no-git',
    commonDir: '/no-git',
    lands: null,
    objects: createAnswerCache(),
    ask: () => Promise.resolve(null),
    run(args: readonly string[], { stdin = '' }: { readonly stdin?: string } = {}) {
      if (args[0] === 'rev-parse')
        return Promise.resolve(ok(commitAt(repo, args.at(-1)?.replace('^{commit}', '') ?? '')));
      if (args[0] === 'log') return Promise.resolve(ok([...history(repo, args.at(-2))].map(logged).join('')));
      if (args[0] !== 'cat-file') return Promise.resolve(ok(''));
      const answer = (name: string): string => {
        const tree = name.endsWith('^{tree}') ? treeAt(repo, name.slice(0, -'^{tree}'.length)) : null;
        return tree === null ? `${name} missing\n` : `${idOf(tree)} tree 0\n\n`;
      };
      return Promise.resolve(ok(stdin.split('\n').filter(Boolean).map(answer).join('')));
    },
  }) as unknown as RunContext['git'];

const commitAt = (repo: Repository, rev: string): string =>
  rev === 'HEAD' ? repo.head : (repo.refs.get(rev)?.head ?? repo.commits.get(rev)?.id ?? '');

/** As `readCommits` has git print it. */
const logged = ({ id, tree, parent, at }: Commit): string =>
  `${[id, idOf(tree), parent ?? '', '', at, ''].join('\x1f')}\x1e`;

const broughtTo = (repo: Repository, { io }: Pick<RunContext, 'io'>) =>
  io.effect('git bring', async () => {
    bringToTip(repo);
    return ok(null);
  });

/** The run's own work tree, which no agent works in while there are lanes. */
export function runsOwn(run: RunContext, mission: Mission): Pick<RunContext, 'root' | 'git' | 'view' | 'bring'> {
  const own = missionIn(mission, 0);
  const { repo, root, privateDir, time } = own;
  if (!isUnderWay(privateDir)) bringToTip(repo);
  return {
    root,
    git: simulatedGit(repo),
    bring: () => broughtTo(repo, run),
    view: worldOf(repo, root, privateDir, time.clock, { rootOf: (path) => rootFor({ ...run, root }, path) }),
  };
}

/** The work trees of the lanes, each at the tip of the branch unless an item is under way in it. */
export function simulatedLanes(run: RunContext, mission: Mission, openBeside: (lane: number) => Mission): LaneTrees {
  const { privateDir, time, repo: user } = mission;
  const underWay = lanesUnderWay(privateDir);
  for (const lane of user.beside.keys())
    if (lane > 0 && !underWay.has(lane) && !lanesFor(run.config.lanes).includes(lane)) user.beside.delete(lane);
  const opened = new Set<number>();
  const openLane = (number: number): Mission => {
    const there = openBeside(number);
    if (!opened.has(number) && !underWay.has(number)) bringToTip(there.repo);
    opened.add(number);
    return there;
  };
  const lanes: LaneTrees = {
    prepare(numbers) {
      for (const number of numbers) openLane(number);
      return Promise.resolve(ok(null));
    },
    prepared: () => Promise.resolve(ok(null)),
    async of(number, item) {
      const { repo, root } = openLane(number);
      const treeDir = join(privateDir, 'lanes', String(number));
      const folder = stateFolderOfItem(privateDir, item);
      const shown = `${run.config.paths.stateDir}/${run.machine.ledger}`;
      const rootOf = (path: string): string => (path === shown ? folder : rootFor({ ...run, root }, path));
      const place: Omit<LanePlace, 'box' | 'openBoxAt'> = {
        root,
        git: simulatedGit(repo),
        view: worldOf(repo, root, privateDir, time.clock, { rootOf, treeDir }),
        bring: () => broughtTo(repo, run),
        lane: number,
        treeDir,
        ledger: join(folder, shown),
        roles: run.roles,
        notifyAgentEvent: run.notifyAgentEvent,
      };
      return ok(place as LanePlace);
    },
    ...openLandingQueue({ workspaceDir: privateDir, io: run.io, notify: run.notify, alarm: time.own().alarm }),
    shares: sharesUnderWay(run),
    checks: openSharedChecks(),
    starts: openStartLimit(time.own().alarm),
  };
  return mission.mutant.lanes?.(lanes) ?? lanes;
}

/** The context of an item in its lane, and the mission as it is there. */
export async function placeIn(
  run: RunContext,
  { mission, besideOf: there }: ProcessRun,
  lane: number | undefined,
  item: string,
): Promise<{ readonly context: RunContext; readonly mission: Mission }> {
  const context = await contextIn(run, lane ?? 0, item);
  if (!context.ok) throw new Error('a simulated lane can always be opened');
  return { context: context.value, mission: context.value === run ? mission : there(context.value.lane) };
}

const LONGEST_MS = 3_000;
/** Of several actions the next one is drawn: each waits a moment before it begins and before it ends. */
export function scheduled(all: Performers<Actions>, own: Own, dice: Dice): Performers<Actions> {
  const moment = (signal: AbortSignal): Promise<void> => own.sleep(dice.between(0, LONGEST_MS), signal);
  const delayed = Object.entries(all).map(([kind, performer]) => [
    kind,
    {
      ...performer,
      async perform(action: never, context: { readonly signal: AbortSignal }) {
        await moment(context.signal);
        const outcome = await performer.perform(action, context as never);
        await moment(context.signal);
        return outcome;
      },
    },
  ]);
  return Object.fromEntries(delayed) as Performers<Actions>;
}
