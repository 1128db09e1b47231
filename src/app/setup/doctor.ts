// Checks whether a run could start here: program, git, sandbox (tried out), configuration, state, agents, lock. Changes nothing
// in the repository and takes no lock.
import { existsSync } from 'node:fs';
import { lacksRoom } from '../../host/disk-room.ts';
import { readText } from '../../host/files.ts';
import { lookAt, type AgentHere } from '../../agents/here.ts';
import { knownAs } from '../../agents/known.ts';
import { locked, lockOwner, type LockOwner } from '../../host/lock.ts';
import { join } from 'node:path';
import { packageVersion } from '../../host/package-root.ts';
import { checkEnvironment } from '../../host/environment.ts';
import { runCommand } from '../../host/process.ts';
import { probeLevel, type LevelProbe } from '../../host/sandbox/probe.ts';
import { LEVELS, type BoxLevel } from '../../host/sandbox/level.ts';
import { capabilitiesOf, isReady } from '../../loop/agent.ts';
import { unreadableJournal } from '../../engine/position.ts';
import { LOOP } from '../../loop/machine.ts';
import { loopFile } from '../../loop/run-file.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure, dirtyTree } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { ok } from '../../model/result.ts';
import { readBaseline } from '../../verify/baseline.ts';
import { hooksOf } from '../../repos/hooks.ts';
import { readCurrentItems } from '../look/current-items.ts';
import { readState } from '../look/state-summary.ts';
import { tooOld } from './migrate.ts';
import { openTarget, type Target } from '../open/target.ts';
import { openProjectView, type Where } from '../open/project-view.ts';

export type Provider = {
  readonly provider: string;
  /** As reported by the provider; null: not reported. */
  readonly version: string | null;
  /** Null: no adapter for it. */
  readonly capabilities: Awaited<ReturnType<typeof capabilitiesOf>>;
  /** Where a login can be seen without a request; null: it is no agent that logs in, or not known how. */
  readonly login: Pick<AgentHere, 'login' | 'known'> | null;
  readonly failure: Failure | null;
};

export type Diagnosis = {
  readonly harness: string;
  readonly node: string;
  /** Null: git was not found. */
  readonly git: string | null;
  readonly sandbox: {
    readonly wanted: Config['sandbox']['level'];
    readonly network: Config['sandbox']['network'];
    /** The level checks would run in; null: the configured one does not work. */
    readonly level: BoxLevel | null;
    readonly probes: readonly LevelProbe[];
  };
  /** Null: the configuration could not be read. */
  readonly config: { readonly file: string | null } | null;
  readonly providers: readonly Provider[];
  /** Hooks of the repository, which do not run for commits of the harness. */
  readonly hooks: readonly string[];
  /** The process that holds the lock. */
  readonly lock: LockOwner | null;
  /** What keeps a run from starting, each with its fix. Empty: it could start. */
  readonly failures: readonly Failure[];
};

export async function diagnose(where: Where): Promise<Diagnosis> {
  const target = await openTarget(where);
  const wanted = target.ok ? target.value.config.sandbox.level : 'auto';
  const network = target.ok ? target.value.config.sandbox.network : 'closed';
  const root = target.ok ? target.value.root : where.repo;
  // One after the other: in parallel, a slow canary could fail for lack of time.
  const probes: LevelProbe[] = [];
  for (const level of LEVELS) probes.push(await probeLevel(level, root, network));
  const chosen = probes.find(({ level, holds }) => holds && (wanted === 'auto' || wanted === level));
  const git = await gitVersion(where.repo);
  const providers = target.ok ? await providersOf(target.value.config) : [];
  const lock = target.ok ? lockOwner(target.value.workspaceDir) : null;
  const hooks = target.ok && target.value.hasGit ? await hooksOf(target.value.git) : ok([]);
  const asked = probes.find(({ level }) => level === wanted);
  const failures = [
    ...(git === null ? [failure('git-missing')] : []),
    ...(chosen === undefined
      ? [
          failure('sandbox-unusable', {
            level: wanted,
            why: asked?.hindrance ?? 'canary-died',
            words: asked?.words ?? '',
          }),
        ]
      : []),
    ...(target.ok ? await failuresOf(target.value, where, lock) : git === null ? [] : [target.failure]),
    ...providers.flatMap((one) => (one.failure === null ? [] : [one.failure])),
    ...(lock === null ? [] : [locked(lock)]),
  ];
  return {
    harness: packageVersion(),
    node: process.versions.node,
    git,
    sandbox: { wanted, network, level: chosen?.level ?? null, probes },
    config: target.ok ? { file: target.value.config.source } : null,
    providers,
    hooks: hooks.ok ? hooks.value : [],
    lock,
    failures,
  };
}

async function failuresOf(target: Target, where: Where, lock: LockOwner | null): Promise<readonly Failure[]> {
  const { config, needed } = target;
  const state = readState({ stateDir: target.stateDir, ...config.compatibility });
  const full = lacksRoom([target.workspaceDir, target.root].filter((folder) => existsSync(folder)));
  const older = state.ok ? tooOld(target, state.value.schema) : null;
  const view = await openProjectView(where);
  const current = view.ok ? await readCurrentItems(view.value) : view;
  const file = config.paths.backlog;
  // Without git no file counts as uncommitted.
  const { dirty, operation } = target.hasGit ? await target.view.head() : { dirty: [], operation: null };
  // A live run changes files, and an interrupted one is resumed: neither counts as dirty.
  const isFree = lock === null && current.ok && current.value.active.sessions.length === 0;
  return [
    ...needed,
    ...(full === null ? [] : [full]),
    ...(state.ok ? [] : [state.failure]),
    ...unreadableLoop(target.workspaceDir),
    ...unreadableBaseline(target.workspaceDir),
    ...(older === null ? [] : [older]),
    ...(current.ok ? [] : [current.failure]),
    ...(current.ok && !current.value.isSetUp && target.playbook.oneTask === undefined
      ? [failure('backlog-missing', { file }, { at: { file } })]
      : []),
    ...(isFree && operation !== null ? [failure('git-operation-open', { operation })] : []),
    ...(isFree && config.dirtyTree === 'refuse' && dirty.length > 0 ? [dirtyTree(dirty)] : []),
  ];
}

/** What the next session is compared with. */
function unreadableBaseline(workspaceDir: string): readonly Failure[] {
  const read = readBaseline(join(workspaceDir, 'test_baseline.json'));
  return read.ok ? [] : [read.failure];
}

/** The position of the run and its journal, which a run reads first. */
function unreadableLoop(workspaceDir: string): readonly Failure[] {
  const file = join(workspaceDir, 'loop.json');
  const text = readText(file);
  if (!text.ok) return [text.failure];
  const read = text.value === null ? ok(null) : parseJsonFile(text.value, file, loopFile);
  const journal = join(workspaceDir, 'loop.jsonl');
  const lines = readText(journal);
  if (!lines.ok) return [lines.failure];
  const unfit = lines.value === null ? null : unreadableJournal(LOOP, journal, lines.value);
  return [...(read.ok ? [] : [read.failure]), ...(unfit === null ? [] : [unfit])];
}

/** Each distinct provider and command that a role uses. */
async function providersOf(config: Config): Promise<readonly Provider[]> {
  const { default: standard, roles, fallback, competitors } = config.agents;
  const agents = new Map([standard, ...Object.values(roles), ...fallback, ...competitors].map((a) => [nameOf(a), a]));
  return Promise.all(
    [...agents].map(async ([provider, agent]) => {
      const ready = await isReady(agent);
      const capabilities = await capabilitiesOf(agent);
      const known = knownAs(agent);
      const login = known === null ? null : lookAt(known, agent);
      return ready.ok
        ? { provider, version: ready.value, capabilities, login, failure: null }
        : { provider, version: null, capabilities, login, failure: ready.failure };
    }),
  );
}

const nameOf = ({ provider, command }: Config['agents']['default']): string =>
  [provider, ...command.slice(0, 1)].join(' ');

async function gitVersion(cwd: string): Promise<string | null> {
  const exit = await runCommand({
    argv: ['git', '--version'],
    cwd,
    env: checkEnvironment(),
    token: `doctor@reader-${process.pid}`,
    wallMs: 10_000,
    idleMs: null,
    keepBytes: 1_000,
    floodBytes: null,
  });
  return exit.code === 0 ? exit.stdout.trim().replace(/^git version /, '') : null;
}
