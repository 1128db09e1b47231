// Who works: the agent and the model of a role, from the configuration.
import { runnerFor } from '../agents/registry.ts';
import type { AgentConfig, Config } from '../model/config.ts';
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
