// What the tools of this lane's agents may do: the configuration, the files that are the harness's, secrets filled in.
import { filledServers, serverSecrets } from '../host/environment.ts';
import type { SessionAsk } from '../model/action.ts';
import type { ToolRules } from '../model/tools.ts';
import { ok, type Result } from '../model/result.ts';
import type { RunContext } from './run-context.ts';
import { protectedFiles } from './protected.ts';

/** Failure: `environment-variable-missing`. */
export function toolRules(
  context: Pick<RunContext, 'config' | 'machine' | 'backlog'>,
  { output }: Pick<SessionAsk, 'output'>,
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
      // The one file of the state folder that it is asked for.
      open: output.startsWith(`${paths.stateDir}/`) ? [output] : [],
    },
    secrets: serverSecrets(tools.mcpServers),
  });
}
