// The section about permissions of the agents' tools.
import * as z from 'zod/mini';
import type { McpServer } from '../tools.ts';
import { count, described, flag, list, mapValues, section, textNeeded, VARIABLES } from './values.ts';

const mcpServer = z.strictObject({
  enabled: flag('Whether the server is started.', true),
  command: textNeeded('The program. `${NAME}` here, in `args`, `env` and `config` is a variable of your environment.'),
  args: described(z._default(z.array(z.string()), []), 'Its arguments; visible in the process list.'),
  env: described(z._default(VARIABLES, {}), 'Environment variables for it. Write secrets as `${NAME}`.'),
  config: described(
    z._default(z.record(VARIABLES.def.keyType, z.unknown()), {}),
    'Settings for it, as environment variables named in capitals; maps and lists as JSON.',
  ),
});

/** `${NAME}` stays in the text until a session starts. */
function serverOf({ command, args, env, config }: z.output<typeof mcpServer>): McpServer {
  const settings = Object.entries(config).map(([name, value]) => [name.toUpperCase(), textOf(value)]);
  return { command, args, env: { ...Object.fromEntries(settings), ...mapValues(env, String) } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

export const tools = section(
  'Permissions of the agents’ tools, in addition to what is always refused: see docs/policy.md.',
  {
    filesystem: section('Reading and writing files.', {
      enabled: flag('Whether agents have tools for files at all.', true),
      allowedPaths: list('Where agents may write, relative to the repository; never outside it.', ['.']),
      deniedPaths: list('Paths that agents may neither write nor read, relative to the repository or absolute.'),
    }),
    shell: section('Running commands.', {
      enabled: flag('Whether agents may run commands at all.', true),
      timeoutSeconds: count('Time limit of one command of an agent.', [1, 604_800], 300),
      deniedCommands: list(
        'Commands that are refused: a program and words among its arguments, in this order (`npm install`), or `> PATH`.',
      ),
    }),
    mcpServers: described(
      z.pipe(
        z._default(z.record(z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)), mcpServer), {}),
        z.transform((servers) => {
          const enabled = Object.entries(servers).filter(([, server]) => server.enabled);
          return mapValues(Object.fromEntries(enabled), serverOf);
        }),
      ),
      'Additional tools for agents: MCP servers by name.',
    ),
  },
);
