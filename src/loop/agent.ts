// Who works: the agent and the model of a role, from the configuration.
import type { AgentConfig, Config } from '../model/config.ts';

export const agentOf = (config: Config, role: string): AgentConfig =>
  config.agents.roles[role] ?? config.agents.default;

/** The role's own agent says it, else `models.<role>`, else `models.default`, else the provider decides. */
export const modelOf = (config: Config, role: string): string | null =>
  config.agents.roles[role]?.model ?? config.models[role] ?? config.models['default'] ?? config.agents.default.model;
