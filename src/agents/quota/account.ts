// The name of the account that an agent's requests count on, derived from the settings that the user logs in with. Two agents with one
// account get the same name; no key can be recovered from it.
import { resolve } from 'node:path';
import type { Variables } from '../../host/environment.ts';
import { sha256 } from '../../host/files.ts';
import type { AgentConfig, ProviderName } from '../../model/config.ts';

/** The variables that distinguish accounts of a provider, in addition to those that are configured for the agent. */
const IDENTIFYING: { readonly [P in ProviderName]: readonly string[] } = {
  claude: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
    'HOME',
  ],
  codex: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'OPENAI_BASE_URL', 'CODEX_HOME', 'HOME'],
  acp: ['HOME'],
  scripted: [],
  replay: [],
};

/** `env`: the agent's whole environment. `root`: the folder of a relative scenario, which is an account of its own. */
export function accountOf(agent: AgentConfig, env: Variables, root: string): string {
  const { provider, command, scenario } = agent;
  const names = [...new Set([...IDENTIFYING[provider], ...Object.keys(agent.env)])].sort();
  const identity = [
    command,
    scenario === null ? null : resolve(root, scenario),
    names.map((name) => [name, env[name] ?? null]),
  ];
  return `${provider}-${sha256(JSON.stringify(identity)).slice(0, 16)}`;
}
