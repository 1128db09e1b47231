// The target: one repository with its configuration and playbook, opened once per command. Reading takes no lock.
import { holdsIn } from '../../loop/holds.ts';
import { proposalsIn } from '../../loop/proposals.ts';
import { join } from 'node:path';
import type { Backlog } from '../../engine/backlog.ts';
import type { ReadContext } from '../../engine/definitions.ts';
import type { PlaybookManifest } from '../../engine/manifest.ts';
import type { ItemMachine, NextFacts } from '../../engine/playbook.ts';
import { readText } from '../../host/files.ts';
import { readEnvironment, serverSecrets, wholeEnvironment } from '../../host/environment.ts';
import { createRedactor, type Redactor } from '../../host/redact.ts';
import { systemClock, systemSleeper, type Clock, type Sleeper } from '../../host/clock.ts';
import { realIo, type Io } from '../../host/io.ts';
import { openMemory, type MemoryLayers } from '../../memory/layers.ts';
import type { Config, PlaybookName } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { isAwaited } from '../../model/proposal.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { stateFolders } from '../../repos/folders.ts';
import { createGit, type Git } from '../../repos/git.ts';
import { openRepositoryView } from '../../repos/repository-view.ts';
import type { AgentChoice } from '../config/agents.ts';
import { folderFiles } from '../config/files.ts';
import { resolveConfig, resolveText } from '../config/resolve.ts';
import { withDerivedList } from './derived-list.ts';
import { keptRecords } from './kept-records.ts';
import { withRunBranch } from './unmerged.ts';
import { configOfUnfinishedSession, waitingFor } from './unfinished-sessions.ts';
import { playbookNamed, WITHOUT_GIT } from '../../playbooks/registry.ts';
import { proofDirOf } from './own-places.ts';
import { repositoryOf } from './repository.ts';
import type { BacklogPath } from '../../loop/run-file.ts';
import type { ItemId } from '../../model/item.ts';

export type Target = {
  readonly root: string;
  /** Without the user's git nothing is committed to it, branched or pushed. */
  readonly hasGit: boolean;
  /** `.harness/` of the work tree: for people to read. */
  readonly stateDir: string;
  /** `<git common dir>/harness/`: the state of the repository. Without git it is created by the first run lock (run-lock.ts). */
  readonly privateDir: string;
  /** The state of this work tree: the same folder, or one in it for a linked work tree (src/model/state-files.ts). */
  readonly workspaceDir: string;
  /** State of the user rather than the repository: shared by all their runs on this machine. */
  readonly personDir: string;
  /** What a machine that remembers keeps between its sessions. */
  readonly memory: MemoryLayers;
  /** The clean workspaces in which the work of this tree is proved. */
  readonly proofDir: string;
  readonly git: Git;
  readonly view: RepositoryView;
  readonly config: Config;
  /** The manifest of the machine's playbook. */
  readonly playbook: PlaybookManifest;
  /** The format of the backlog, and the machine that works on its items. */
  readonly backlog: Backlog;
  readonly machine: ItemMachine;
  /** Settings inferred from the target, and written settings that have no effect yet; shown to the user. */
  readonly inferred: readonly { readonly key: string; readonly value: string; readonly from: string }[];
  readonly inert: readonly string[];
  /** What is missing before a run can start. */
  readonly needed: readonly Failure[];
  readonly redact: Redactor;
  readonly io: Io;
  readonly clock: Clock;
  readonly sleep: Sleeper;
};

/** Storage and time are parameters, so that tests control both. */
export async function openTarget(
  where: {
    readonly repo: string;
    readonly configFile: string | null;
    readonly agents?: AgentChoice;
    /** The playbook if no configuration names one. */
    readonly playbook?: PlaybookName;
  },
  {
    io = realIo(),
    clock = systemClock,
    sleep = systemSleeper,
    personDir,
  }: { readonly io?: Io; readonly clock?: Clock; readonly sleep?: Sleeper; readonly personDir?: string } = {},
): Promise<Result<Target>> {
  const env = wholeEnvironment();
  const token = `${where.repo}@reader-${process.pid}`;
  const repository = await repositoryOf(where, { env, token });
  if (!repository.ok) return repository;
  const { root, isPrivate, memory } = repository.value;
  const standard = where.playbook ?? (isPrivate ? WITHOUT_GIT?.name : undefined);
  const { privateDir, workspaceDir } = stateFolders(repository.value);
  const startConfig = configOfUnfinishedSession(workspaceDir);
  if (!startConfig.ok) return startConfig;
  const resolved =
    startConfig.value === null
      ? await resolveConfig(root, {
          configFile: where.configFile,
          ...(where.agents === undefined ? {} : { agents: where.agents }),
          ...(standard === undefined ? {} : { playbook: standard }),
        })
      : await resolveText(root, startConfig.value.source, folderFiles(root), where.agents);
  if (!resolved.ok) return resolved;
  const { inferred, inert, needed } = resolved.value;
  const config = isPrivate ? withoutGit(resolved.value.config) : resolved.value.config;
  const { backlog } = await playbookNamed(config.playbook.backlog).load();
  const playbook = playbookNamed(config.playbook.machine);
  const { machine } = await playbook.load();
  const { own, carried } = machine.files(config);
  const folders = repository.value;
  const git = createGit({
    root,
    folders,
    env,
    token: `${workspaceDir}@reader-${process.pid}`,
    io,
    memory,
    own,
    carried,
  });
  const stateDir = join(root, config.paths.stateDir);
  const kept = keptRecords({ root, stateDir, privateDir, workspaceDir });
  const redact = createRedactor({ ...env, ...serverSecrets(config.tools.mcpServers, env) });
  const list = { file: config.paths.backlog, backlog };
  const view = withDerivedList(
    openRepositoryView(git, root, clock, kept),
    config,
    playbookNamed(config.playbook.backlog),
  );
  const person = personDir ?? join(readEnvironment().stateHome ?? privateDir, 'harness');
  const places = { stateDir, workspaceDir, personDir: person };
  return ok({
    root,
    hasGit: !isPrivate,
    stateDir,
    privateDir,
    workspaceDir,
    personDir: person,
    memory: openMemory({ ...places, playbook: machine.name, roles: machine.roles, io, clock, redact }),
    proofDir: proofDirOf(root),
    git,
    view: config.land === 'branch' ? withRunBranch(view, { git, workspaceDir }, list) : view,
    config,
    playbook,
    backlog,
    machine,
    inferred,
    inert,
    needed,
    redact,
    io,
    clock,
    sleep,
  });
}

/** The harness's own repository is never pushed. */
const withoutGit = (config: Config): Config => ({ ...config, push: { ...config.push, remote: null } });

/** What surveys and briefs may read. */
export const contextOf = ({
  view,
  backlog,
  config,
  machine,
  memory,
}: Pick<Target, 'view' | 'backlog' | 'config' | 'machine' | 'memory'>): ReadContext => ({
  view,
  backlog,
  config,
  ...(machine.remembers === true ? { memory } : {}),
});

export const backlogPathOf = ({ config, machine }: Pick<Target, 'config' | 'machine'>): BacklogPath => ({
  backlog: config.paths.backlog,
  isOwn: machine.files(config).own.includes(config.paths.backlog),
});

/** The list as its file or the files that it follows from say. Fails with `backlog-missing`. */
export async function listText({
  view,
  backlog,
  config,
}: Pick<Target, 'view' | 'backlog' | 'config'>): Promise<Result<string>> {
  const file = config.paths.backlog;
  const text = (await view.read(file)) ?? backlog.empty ?? null;
  return text === null ? err(failure('backlog-missing', { file }, { at: { file } })) : ok(text);
}

/** Where users edit the items: the list, or the folder of the files that it follows from. */
export const placeOfItems = ({ config, machine }: Pick<Target, 'config' | 'machine'>): string =>
  machine.adds === undefined ? config.paths.backlog : config.planDir;

export const askNext = (target: Target, only: ItemId | null): Promise<NextFacts> => {
  const waits = waitingFor(target.workspaceDir).map(({ item }) => item);
  const awaited = proposalsIn(target).filter(isAwaited);
  const taken = [...new Set([...waits, ...[...holdsIn(target), ...awaited].map(({ item }) => item)])];
  return target.machine.next.read(contextOf(target), { only, taken });
};

/** The list can be read, and has items. */
export async function hasItems(target: Target): Promise<boolean> {
  const text = await listText(target);
  const read = text.ok ? target.backlog.read(text.value, target.config.paths.backlog, { allowCycles: true }) : text;
  return read.ok && read.value.items.length > 0;
}

/** The list can be read, and has no items. */
export function hasNoItems({ root, config, backlog }: Pick<Target, 'root' | 'config' | 'backlog'>): boolean {
  const file = config.paths.backlog;
  const text = readText(join(root, file));
  const read = text.ok && text.value !== null ? backlog.read(text.value, file) : null;
  return read !== null && read.ok && read.value.items.length === 0;
}
