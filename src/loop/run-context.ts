// The context of a run, in parts: a performer takes the parts that it uses.
import type { Backlog } from '../engine/backlog.ts';
import type { ReadContext } from '../engine/definitions.ts';
import type { ItemMachine } from '../engine/playbook.ts';
import type { OpenForge } from '../forge/port.ts';
import type { Gates } from '../gates/store.ts';
import type { Box } from '../host/box.ts';
import type { Catalogue } from '../host/catalogue.ts';
import type { Clock, Sleeper } from '../host/clock.ts';
import type { Io } from '../host/io.ts';
import type { MemoryLayers } from '../memory/layers.ts';
import type { Roles } from '../memory/roles.ts';
import type { Config } from '../model/config.ts';
import type { AgentEvent, HarnessEvent } from '../model/event.ts';
import type { RepositoryView } from '../model/repository-view.ts';
import type { Git } from '../repos/git.ts';
import type { ItemId } from '../model/item.ts';
import { isHarnessFile } from '../model/state-files.ts';
import { ok, type Result } from '../model/result.ts';
import type { LiveSessions } from './sessions.ts';
import type { SharedChecks } from './shared-checks.ts';
import type { StartLimit } from './start-limit.ts';
import type { Shares } from './shares.ts';
import type { Tape } from './tape.ts';

export type RunContext = RunRepository & RunSettings & RunHost & RunStores & RunEvents;

/** The work tree, its git, and the folders of the harness. */
export type RunRepository = {
  /** The work tree that agents work in. */
  readonly root: string;
  /** The user's work tree: the same, or (`isolation: worktree`) another one, which agents do not write. It has the harness's own files. */
  readonly userRoot: string;
  /** Brings the work tree to the tip of the branch, with no session open; does nothing in the user's own. */
  readonly bring: () => Promise<Result<null>>;
  /** `.harness/`: files for people. Can be rebuilt. */
  readonly stateDir: string;
  /** `<git common dir>/harness/`: what all work trees share, such as gates, evidence and money. Agents do not write here. */
  readonly privateDir: string;
  /** The state of this work tree, such as journals, sessions and the run lock (src/model/state-files.ts). Agents do not write here. */
  readonly workspaceDir: string;
  /** The state of the work tree that agents work in: `workspaceDir`, but for lanes, which have a folder each. Agents do not write here. */
  readonly treeDir: string;
  /** The lane that this is the context of; 0: the run's own. */
  readonly lane: number;
  /** The file of the machine at work: `session_state.json`. With several lanes each item has its own, and that one is a copy. */
  readonly ledger: string;
  /** Files of the user, shared by all their runs on this machine. */
  readonly personDir: string;
  /** That of the user's work tree, in every lane. Only machines that remember use it. */
  readonly memory: MemoryLayers;
  /** Clean workspaces in which the work of this tree is proved: outside of the repository, written by no agent. */
  readonly proofDir: string;
  readonly git: Git;
  readonly view: RepositoryView;
  /** Where pushes go, read before any agent could change it; null: there is no such remote. */
  readonly pushUrl: string | null;
};

/** What an item that is at work in a lane has instead of the run's own. */
export type LanePlace = Pick<
  RunContext,
  'root' | 'git' | 'view' | 'bring' | 'lane' | 'treeDir' | 'ledger' | 'box' | 'openBoxAt' | 'roles' | 'notifyAgentEvent'
>;
/** The work trees of a run with several lanes. */
export type LaneTrees = {
  /** Makes the work tree of the first of these lanes, and begins to make the others. Fails as making one does, also where something is in the way of another. */
  prepare(lanes: readonly number[]): Promise<Result<null>>;
  /** Resolves when all of them are made: git's folder does not change any more, and an agent may begin. Fails as making a work tree does. */
  prepared(): Promise<Result<null>>;
  /** Opens the lane, which is made by then. Fails as opening a work tree does. */
  of(lane: number, item: ItemId): Promise<Result<LanePlace>>;
  /** One piece of work at a time: what changes the branch or files that lanes share. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** The same for a landing, which waits where another item has the turn. */
  landing<T>(item: ItemId | null, work: () => Promise<T>): Promise<T>;
  /** Waits for the turn to land and keeps it: no other item lands, so that what is proved now is not overtaken. */
  takeTurn(item: ItemId): Promise<void>;
  /**
   * Takes the turn when no other item has it, lands, or waits to land with a proof. False: that takes too long, or the signal came, or this item has it
   * already, for all of its session.
   */
  tryTurn(item: ItemId, signal: AbortSignal): Promise<boolean>;
  /** Does nothing where the item does not have the turn. */
  endTurn(item: ItemId): void;
  readonly shares: Shares;
  readonly checks: SharedChecks;
  readonly starts: StartLimit;
};

/** The context of an item in this lane. */
export async function contextIn(run: RunContext, lane: number, item: ItemId): Promise<Result<RunContext>> {
  if (lane === 0 || run.lanes === null) return ok(run);
  const place = await run.lanes.of(lane, item);
  return place.ok ? ok({ ...run, ...place.value }) : place;
}

/** What programs in a lane can tell it by, for ports and the like; empty with one lane. */
export const laneVariables = ({ lane }: Pick<RunRepository, 'lane'>): { readonly [name: string]: string } =>
  lane > 0 ? { HARNESS_LANE: String(lane) } : {};

/** Which of the two work trees has this file: the harness's own files are in the user's. */
export function rootFor(
  { root, userRoot, git, config, machine }: Pick<RunContext, 'root' | 'userRoot' | 'git' | 'config' | 'machine'>,
  path: string,
): string {
  if (root === userRoot) return root;
  const { stateDir, backlog, progress } = config.paths;
  const { guarded, records } = machine.files(config);
  const beside = [...guarded, backlog, progress].filter((one) => one.startsWith(`${stateDir}/`));
  const own = [...git.own, ...beside, ...(records === undefined ? [] : [records])];
  return isHarnessFile(path, { stateDir, own }) ? userRoot : root;
}

/** What is fixed before the run starts. */
export type RunSettings = {
  /** The name of the run. */
  readonly run: string;
  readonly config: Config;
  /** The format of the list, and the machine that works on it. */
  readonly backlog: Backlog;
  readonly machine: ItemMachine;
  readonly roles: Roles;
  /** English: what agents read. */
  readonly catalogue: Catalogue;
  /** The run continues for hours by itself: it waits for a question that its policy will answer. */
  readonly isUnattended: boolean;
  /** No user can be asked during the run: soft questions get their recommended answer. */
  readonly isAlone: boolean;
};

/** Files, processes, time and the sandbox. */
export type RunHost = {
  readonly io: Io;
  readonly clock: Clock;
  readonly sleep: Sleeper;
  readonly box: Box;
  /** A box of the same kind over another folder, found at the path `at` where the level can mount. `shown`: readable beside it. */
  readonly openBoxAt: (root: string, how: { readonly at: string; readonly shown: readonly string[] }) => Promise<Box>;
  readonly redact: (text: string) => string;
};

export type LandingPlace = { readonly item: ItemId; readonly title: string; readonly commit: string };

/** Records that outlive the process. */
export type RunStores = {
  readonly gates: Gates;
  readonly sessions: LiveSessions;
  /** Where code is reviewed. Fails where none is configured, or it cannot be opened. */
  readonly openForge: (signal: AbortSignal) => Promise<Result<OpenForge>>;
  /** Title and text of the pull request of a landing: its evidence. */
  readonly describePull: (landing: LandingPlace) => Promise<Result<{ readonly title: string; readonly body: string }>>;
  /** Brings the issues of the items up to date. Fails where that is to stop the run. Left out: items have no issues. */
  readonly syncIssues?: (signal: AbortSignal) => Promise<Result<null>>;
  /** null: one item is worked on at a time, in the work tree of the run. */
  readonly lanes: LaneTrees | null;
  /** What the agents of this run are recorded on or played from; null: neither. */
  readonly tape: Tape | null;
};

/** Who is notified of what happens. */
export type RunEvents = {
  /** Called for each landing. */
  readonly mirrors: readonly ((landed: { readonly item: string; readonly commit: string }) => Promise<void>)[];
  /** An event of an agent, as it happens. */
  readonly notifyAgentEvent: (session: number, event: AgentEvent) => void;
  /** An event of the run: to its watcher (the terminal) and the logs. */
  readonly notify: (event: Omit<HarnessEvent, 'ts'>) => void;
};

/** What surveys, briefs and edits of this run read. */
export const readContext = ({
  view,
  backlog,
  config,
  machine,
  memory,
}: Pick<RunContext, 'view' | 'backlog' | 'config' | 'machine' | 'memory'>): ReadContext => ({
  view,
  backlog,
  config,
  ...(machine.remembers === true ? { memory } : {}),
});
