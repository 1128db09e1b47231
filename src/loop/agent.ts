// Who works: the agent and the model of a role, from the configuration.
import { runnerFor } from '../agents/registry.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentConfig, Config, ProviderName } from '../model/config.ts';
import { err, ok, type Result } from '../model/result.ts';

export const agentOf = (config: Config, role: string): AgentConfig =>
  config.agents.roles[role] ?? config.agents.default;

/** The role's own agent says it, else `models.<role>`, else `models.default`, else the provider decides. */
export const modelOf = (config: Config, role: string): string | null =>
  config.agents.roles[role]?.model ?? config.models[role] ?? config.models['default'] ?? config.agents.default.model;

/** Whether a session with this agent could be started here, with its version where it says one. Makes no request. */
export async function isReady(agent: AgentConfig): Promise<Result<string | null>> {
  const runner = await runnerFor(agent.provider);
  if (!runner.ok) return runner;
  const probed = await runner.value.probe(agent);
  return probed.ready ? ok(probed.version) : err(probed.failure);
}

/** Where known agents keep settings, log-ins and transcripts, below the home. An agent that is not known is told by configuration. */
const OWN_FOLDERS: { readonly [P in ProviderName]: readonly string[] } = {
  claude: ['.claude', '.claude.json'],
  acp: [
    '.claude',
    '.claude.json',
    '.codex',
    '.gemini',
    '.copilot',
    '.cursor',
    '.qwen',
    '.config/goose',
    '.local/share/goose',
    '.config/opencode',
    '.local/share/opencode',
    '.local/state/opencode',
  ],
  codex: ['.codex'],
  scripted: [],
  replay: [],
};

/** What an agent in the box may write beside its lane; absolute. Its own variables say where its home is. */
export function writtenBy({ provider, env }: AgentConfig, more: readonly string[]): readonly string[] {
  const home = env['HOME'] ?? homedir();
  return [
    ...OWN_FOLDERS[provider].map((folder) => join(home, folder)),
    ...more.map((folder) => (folder.startsWith('~/') ? join(home, folder.slice(2)) : folder)),
  ];
}
