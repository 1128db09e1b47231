// The files that only the harness may write while a session runs, and what the tools of agents may do.
import { CONFIG_FILES } from '../model/config.ts';
import { ownRole } from '../memory/roles.ts';
import { startScripts } from '../model/scripts.ts';
import type { RunContext } from './run-context.ts';
import type { GuardedFile } from '../verify/tamper-guard.ts';
import { filledServers, serverSecrets } from '../host/environment.ts';
import type { SessionAsk } from '../model/action.ts';
import type { OwnFiles, ToolRules } from '../model/tools.ts';
import { ok, type Result } from '../model/result.ts';

/** What a verdict depends on, and the scripts that start everything: a merge must not change them, only a user. */
export function reservedPaths(context: Pick<RunContext, 'config' | 'machine' | 'backlog'>): (path: string) => boolean {
  const { environment, paths } = context.config;
  const names = new Set([...protectedFiles(context).map(({ path }) => path), ...startScripts(environment)]);
  return (path) => names.has(path) || path.startsWith(`${paths.stateDir}/`);
}

/** `closed`: those that the agent cannot write. */
export function protectedFiles(
  context: Pick<RunContext, 'config' | 'machine' | 'backlog'>,
  closed: readonly string[] = [],
): readonly GuardedFile[] {
  return allProtected(context).map((file) => (closed.includes(file.path) ? { ...file, isClosed: true } : file));
}

function allProtected(context: Pick<RunContext, 'config' | 'machine' | 'backlog'>): readonly GuardedFile[] {
  const { paths, source } = context.config;
  const { machine, backlog } = context;
  // Those that are not there too: the next run would be ruled by one that an agent made.
  const configs = new Set([...(source === null ? [] : [source]), ...CONFIG_FILES]);
  // The records beside it are copies: they decide nothing.
  const state = `${paths.stateDir}/session_state.json`;
  // No agent may write the prompts of this repository's agents (initializer: it comes before the others).
  const prompts = ['initializer', ...machine.roles].map((role) => ownRole(machine.name, role));
  const files = machine.files(context.config);
  const alone = [...files.own, ...files.guarded];
  const others = alone.filter((path) => path !== paths.backlog && path !== paths.progress);
  const books: readonly GuardedFile[] = [
    {
      path: paths.backlog,
      rule: machine.readsClaims === true && backlog.claim !== undefined ? 'claimed' : 'restored',
      problem: 'harness-file-edited',
    },
    // Agents add an entry; what is there already must not change.
    {
      path: paths.progress,
      rule: alone.includes(paths.progress) ? 'restored' : 'appendable',
      problem: 'harness-file-edited',
    },
    ...others.map((path) => ({ path, rule: 'restored', problem: 'harness-file-edited' }) as const),
  ];
  return [
    ...books,
    ...[...configs, ...prompts].map((path) => ({ path, rule: 'restored', problem: 'config-edited' }) as const),
    { path: state, rule: 'restored', problem: 'harness-file-edited' },
  ];
}

/** Fails with `environment-variable-missing`. */
export function toolRules(
  context: Pick<RunContext, 'config' | 'machine' | 'backlog'>,
  { output, writes = [] }: Pick<SessionAsk, 'output' | 'writes'>,
  unseen?: OwnFiles['unseen'],
): Result<ToolRules> {
  const { paths, tools } = context.config;
  const mcpServers = filledServers(tools.mcpServers);
  if (!mcpServers.ok) return mcpServers;
  return ok({
    settings: { ...tools, mcpServers: mcpServers.value },
    own: {
      state: paths.stateDir,
      backlog: paths.backlog,
      closed: protectedFiles(context).flatMap(({ path, rule }) => (rule === 'restored' ? [path] : [])),
      kept: [paths.backlog, paths.progress],
      // The files of the state folder that it is asked for.
      open: [output, ...writes].filter((path) => path.startsWith(`${paths.stateDir}/`)),
      ...(unseen === undefined ? {} : { unseen }),
    },
    secrets: serverSecrets(tools.mcpServers),
  });
}
