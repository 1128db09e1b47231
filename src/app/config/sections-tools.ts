// Keys that say what the agents' own tools may do (reference 000, Tool & MCP Configuration).
import * as z from 'zod/mini';
import { section } from './sections-work.ts';
import { count, flag, list, TEXT, told } from './words.ts';

const NAME = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/));
const VALUE = z.union([z.string(), z.number(), z.boolean()]);

const mcpServer = z.strictObject({
  enabled: flag('Whether the server is started.', true),
  command: told(
    z.string().check(
      z.minLength(1),
      z.refine((text) => /\S/.test(text)),
    ),
    'The program. `${NAME}` here, in `args`, `env` and `config` is a variable of your environment.',
  ),
  args: told(
    z._default(z.array(z.string()), []),
    'Its arguments. What stands here can be seen in the list of processes.',
  ),
  env: told(z._default(z.record(NAME, VALUE), {}), 'Environment variables for it. Write secrets as `${NAME}`.'),
  config: told(
    z._default(z.record(NAME, z.unknown()), {}),
    'Settings for it, as environment variables named in capitals; maps and lists as JSON.',
  ),
});

export const tools = section(
  'What the tools of agents may do. It comes on top of what is always refused: see docs/policy.md.',
  {
    filesystem: section('Reading and writing files.', {
      enabled: flag('Whether agents have tools for files at all.', true),
      allowed_paths: told(
        z._default(z.array(TEXT), ['.']),
        'Where agents may write, relative to the repository. What lies outside of it stays closed.',
      ),
      denied_paths: list('What agents neither write nor read, relative to the repository or absolute.'),
    }),
    shell: section('Running commands.', {
      enabled: flag('Whether agents may run commands at all.', true),
      timeout_seconds: count('Longest time for one command of an agent.', [1, 604_800], 300),
      denied_commands: list(
        'Commands that are refused: a program and words among its arguments, in this order (`npm install`), or `> PATH`.',
      ),
    }),
    mcp_servers: told(
      z._default(z.record(z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)), mcpServer), {}),
      'More tools for the agents, by name: servers of the Model Context Protocol.',
    ),
  },
);
