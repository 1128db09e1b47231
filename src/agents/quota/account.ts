// Whose account an agent's requests are counted on, as far as it can be told without asking anybody: by what a person sets to log
// in. Two agents of one account get one name; nothing of a key can be read back from it.
import { resolve } from 'node:path';
import { sha256 } from '../../host/files.ts';
import type { AgentConfig, ProviderName } from '../../model/config.ts';

/** What tells accounts of a provider apart, beside what the configuration gives its agent. */
const TOLD_BY: { readonly [P in ProviderName]: readonly string[] } = {
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

/** `env`: the agent's whole environment. `root`: where a relative scenario lies: one is an account of its own. */
export function accountOf(agent: AgentConfig, env: { readonly [name: string]: string }, root: string): string {
  const { provider, command, scenario } = agent;
  const names = [...new Set([...TOLD_BY[provider], ...Object.keys(agent.env)])].sort();
  const told = [
    command,
    scenario === null ? null : resolve(root, scenario),
    names.map((name) => [name, env[name] ?? null]),
  ];
  return `${provider}-${sha256(JSON.stringify(told)).slice(0, 16)}`;
}
