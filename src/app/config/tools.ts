// `tools` as it is written → the rules of the agents' tools. What stands as `${NAME}` stays so until a session starts.
import type { McpServer, ToolSettings } from '../../model/tools.ts';
import type { Written } from './schema.ts';

type WrittenTools = Written['tools'];
type WrittenServer = WrittenTools['mcp_servers'][string];

export const resolveTools = (written: WrittenTools): ToolSettings => ({
  filesystem: {
    enabled: written.filesystem.enabled,
    allowedPaths: written.filesystem.allowed_paths,
    deniedPaths: written.filesystem.denied_paths,
  },
  shell: {
    enabled: written.shell.enabled,
    timeoutSeconds: written.shell.timeout_seconds,
    deniedCommands: written.shell.denied_commands,
  },
  mcpServers: Object.fromEntries(
    Object.entries(written.mcp_servers)
      .filter(([, server]) => server.enabled)
      .map(([name, server]) => [name, serverOf(server)]),
  ),
});

function serverOf({ command, args, env, config }: WrittenServer): McpServer {
  const settings = Object.entries(config).map(([name, value]) => [name.toUpperCase(), textOf(value)]);
  const variables = Object.entries(env).map(([name, value]) => [name, String(value)]);
  return { command, args, env: Object.fromEntries([...settings, ...variables]) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
