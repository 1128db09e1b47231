// Whether a run could start here, part by part: the program, git, the sandbox as it really holds, configuration, state,
// agents, lock. Looks and tries; changes nothing in the repository and takes no lock.
import { locked, lockOwner, type LockOwner } from '../../host/lock.ts';
import { packageVersion } from '../../host/package-root.ts';
import { checkEnvironment } from '../../host/environment.ts';
import { runCommand } from '../../host/process.ts';
import { probeLevel, type LevelProbe } from '../../host/sandbox/probe.ts';
import { LEVELS, type BoxLevel } from '../../host/sandbox/level.ts';
import { capabilitiesOf, isReady } from '../../loop/agent.ts';
import type { Config } from '../../model/config.ts';
import { failure, type Failure, filesNamed } from '../../model/failure.ts';
import { readStandings } from '../look/item-list.ts';
import { readState } from '../look/last-session.ts';
import { tooOld } from './migrate.ts';
import { openTarget, type Target } from '../open/target.ts';
import { openView, type Where } from '../open/view.ts';

export type Provider = {
  readonly provider: string;
  /** The version the provider says of itself; null: it says none. */
  readonly version: string | null;
  /** What it can do and reports; null: it has no adapter here. */
  readonly capabilities: Awaited<ReturnType<typeof capabilitiesOf>>;
  readonly failure: Failure | null;
};

export type Diagnosis = {
  readonly harness: string;
  readonly node: string;
  /** Null: it was not found. */
  readonly git: string | null;
  readonly sandbox: {
    readonly wanted: Config['sandbox']['level'];
    readonly network: Config['sandbox']['network'];
    /** What checks would run in; null: what was asked for does not hold. */
    readonly level: BoxLevel | null;
    readonly probes: readonly LevelProbe[];
  };
  /** Null where the configuration could not be read. */
  readonly config: { readonly file: string | null } | null;
  readonly providers: readonly Provider[];
  /** Who holds the repository now. */
  readonly lock: LockOwner | null;
  /** What keeps a run from starting, each with its mend. Empty: it could start. */
  readonly failures: readonly Failure[];
};

export async function diagnose(where: Where): Promise<Diagnosis> {
  const target = await openTarget(where);
  const wanted = target.ok ? target.value.config.sandbox.level : 'auto';
  const network = target.ok ? target.value.config.sandbox.network : 'closed';
  const root = target.ok ? target.value.root : where.repo;
  // One after the other: a canary that shares the machine with another could die of it.
  const probes: LevelProbe[] = [];
  for (const level of LEVELS) probes.push(await probeLevel(level, root, network));
  const chosen = probes.find(({ level, holds }) => holds && (wanted === 'auto' || wanted === level));
  const git = await gitVersion(where.repo);
  const providers = target.ok ? await providersOf(target.value.config) : [];
  const lock = target.ok ? lockOwner(target.value.privateDir) : null;
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
    lock,
    failures,
  };
}

async function failuresOf(target: Target, where: Where, lock: LockOwner | null): Promise<readonly Failure[]> {
  const { config, needed } = target;
  const state = readState({ stateDir: target.stateDir, ...config.compatibility });
  const older = state.ok ? tooOld(target, state.value.schema) : null;
  const view = await openView(where);
  const standings = view.ok ? await readStandings(view.value) : view;
  const file = config.paths.backlog;
  // Without git nothing is anybody's uncommitted work, and there may be nothing yet to ask.
  const { dirty, operation } = target.hasGit ? await target.view.head() : { dirty: [], operation: null };
  // The files of a live run are its own business, and those of an interrupted one are taken up.
  const isFree = lock === null && standings.ok && standings.value.lanes.underWay.length === 0;
  return [
    ...needed,
    ...(state.ok ? [] : [state.failure]),
    ...(older === null ? [] : [older]),
    ...(standings.ok ? [] : [standings.failure]),
    ...(standings.ok && !standings.value.isSetUp && target.playbook.oneTask === undefined
      ? [failure('backlog-missing', { file }, { at: { file } })]
      : []),
    ...(isFree && operation !== null ? [failure('git-operation-open', { operation })] : []),
    ...(isFree && config.dirtyTree === 'refuse' && dirty.length > 0 ? [failure('dirty-tree', filesNamed(dirty))] : []),
  ];
}

/** Each provider that some role has, once: with another model or another command it is another. */
async function providersOf(config: Config): Promise<readonly Provider[]> {
  const { default: standard, roles, fallback } = config.agents;
  const agents = new Map([standard, ...Object.values(roles), ...fallback].map((a) => [nameOf(a), a]));
  return Promise.all(
    [...agents].map(async ([provider, agent]) => {
      const ready = await isReady(agent);
      const capabilities = await capabilitiesOf(agent);
      return ready.ok
        ? { provider, version: ready.value, capabilities, failure: null }
        : { provider, version: null, capabilities, failure: ready.failure };
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
