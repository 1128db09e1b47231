// The target: one repository with its configuration and playbook, opened once per command. Reading takes no lock.
import { join } from 'node:path';
import type { Playbook } from '../engine/playbook.ts';
import { readEnvironment, serverSecrets, wholeEnvironment } from '../host/environment.ts';
import { createRedactor, type Redactor } from '../host/redact.ts';
import { systemClock, systemSleeper, type Clock, type Sleeper } from '../host/clock.ts';
import { realIo, type Io } from '../host/io.ts';
import type { Config, PlaybookName } from '../model/config.ts';
import type { Failure } from '../model/failure.ts';
import { ok, type Result } from '../model/result.ts';
import type { World } from '../model/world.ts';
import { createGit, type Git } from '../repos/git.ts';
import { openRepository } from '../repos/repository.ts';
import { createWorld } from '../repos/world.ts';
import type { AgentChoice } from './config/agents.ts';
import { folderFiles } from './config/files.ts';
import { resolveConfig, resolveText } from './config/resolve.ts';
import { configUnderWay } from './open-windows.ts';
import { playbookOf } from './playbooks.ts';

export type Target = {
  readonly root: string;
  /** `.harness/` of the work tree: what people read. */
  readonly stateDir: string;
  /** `<git common dir>/harness/`: what the harness rests on. */
  readonly privateDir: string;
  /** What is about a person and not about a repository: shared by all their runs on this machine. */
  readonly personDir: string;
  readonly git: Git;
  readonly world: World;
  readonly config: Config;
  readonly playbook: Playbook;
  /** What was worked out because nobody wrote it, and what was written but does not act yet: to be said aloud. */
  readonly inferred: readonly { readonly key: string; readonly value: string; readonly from: string }[];
  readonly inert: readonly string[];
  /** What is missing before work can start. */
  readonly needed: readonly Failure[];
  readonly redact: Redactor;
  readonly io: Io;
  readonly clock: Clock;
  readonly sleep: Sleeper;
};

/** Everything durable and the time go through ports, so that tests own both. */
export async function openTarget(
  where: {
    readonly repo: string;
    readonly configFile: string | null;
    readonly agents?: AgentChoice;
    /** Where no configuration says it. */
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
  const repository = await openRepository(where.repo, { env, token });
  if (!repository.ok) return repository;
  const { root, commonDir, memory } = repository.value;
  const privateDir = join(commonDir, 'harness');
  const underWay = configUnderWay(privateDir);
  if (!underWay.ok) return underWay;
  const resolved =
    underWay.value === null
      ? await resolveConfig(root, {
          configFile: where.configFile,
          ...(where.agents === undefined ? {} : { agents: where.agents }),
          ...(where.playbook === undefined ? {} : { playbook: where.playbook }),
        })
      : await resolveText(root, underWay.value.source, folderFiles(root), where.agents);
  if (!resolved.ok) return resolved;
  const { config, inferred, inert, needed } = resolved.value;
  const playbook = playbookOf(config.playbook);
  const own = playbook.own?.(config) ?? [];
  const git = createGit({ root, env, token: `${privateDir}@reader-${process.pid}`, io, memory, own });
  return ok({
    root,
    stateDir: join(root, config.paths.stateDir),
    privateDir,
    personDir: personDir ?? join(readEnvironment().stateHome ?? privateDir, 'harness'),
    git,
    world: createWorld(git, root, clock),
    config,
    playbook,
    inferred,
    inert,
    needed,
    redact: createRedactor({ ...env, ...serverSecrets(config.tools.mcpServers, env) }),
    io,
    clock,
    sleep,
  });
}
