// What the tools of this lane's agents may do: the configuration, the files that are the harness's, secrets filled in.
import { filledServers, serverSecrets } from '../host/environment.ts';
import { CONFIG_FILES } from '../model/config.ts';
import type { ToolRules } from '../model/tools.ts';
import { ok, type Result } from '../model/result.ts';
import type { Lane } from './lane.ts';

/** Failure: `environment-variable-missing`. */
export function toolRules({ config }: Pick<Lane, 'config'>): Result<ToolRules> {
  const { paths, source, tools } = config;
  const mcpServers = filledServers(tools.mcpServers);
  if (!mcpServers.ok) return mcpServers;
  return ok({
    settings: { ...tools, mcpServers: mcpServers.value },
    own: {
      state: paths.stateDir,
      backlog: paths.features,
      closed: [...new Set([...(source === null ? [] : [source]), ...CONFIG_FILES])],
      kept: [paths.features, paths.progress],
    },
    secrets: serverSecrets(tools.mcpServers),
  });
}
