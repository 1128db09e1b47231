// The agent of each role, from `agents` and `models`, and the rules of each provider.
import {
  MODEL_NAMES,
  type AgentConfig,
  type Config,
  type ProviderName,
  type WrittenConfig,
} from '../../model/config.ts';
import { mapValues } from '../../model/config/values.ts';
import { missing, notSupported, type ConfigMistake, type Path } from './mistake.ts';

type WrittenAgents = Pick<WrittenConfig, 'agents' | 'models'>;
type AgentEntry = WrittenAgents['agents']['default'];

/**
 * `models.<role>` › the role's own entry › `models.default` › `agents.default`. An entry with another provider inherits nothing
 * from the default: models and commands belong to their provider.
 */
export function resolveAgents(
  all: WrittenAgents,
  choice: AgentChoice | undefined,
  mistakes: ConfigMistake[],
): Pick<Config, 'agents' | 'models'> {
  const written = choice === undefined ? all : withChoice(all, choice);
  const { default: modelOfAll, ...modelOf } = written.models;
  const models = Object.fromEntries(
    Object.entries(modelOf).flatMap(([name, model]) => (model === undefined ? [] : [[name, model]])),
  );
  const standard = filled(written.agents.default, null);
  const ofAll: AgentConfig = { ...standard, model: modelOfAll ?? standard.model };
  check(ofAll, ['agents', 'default'], mistakes);

  const isModel = (name: string): boolean => MODEL_NAMES.some((one) => one === name);
  const names = [...Object.keys(written.agents.roles), ...Object.keys(models)].filter((name) => !isModel(name));
  const roles: Record<string, AgentConfig> = {};
  for (const role of new Set(names)) {
    const entry = written.agents.roles[role] ?? {};
    const agent = filled(entry, ofAll);
    const path = ['agents', 'roles', role];
    // Mistakes in inherited values are reported at `agents.default`.
    if (entry.provider !== undefined || entry.command !== undefined || entry.scenario !== undefined)
      check(agent, path, mistakes);
    // A run is recorded and replayed as a whole.
    if ((agent.provider === 'replay') !== (ofAll.provider === 'replay'))
      mistakes.push(notSupported([...path, 'provider'], agent.provider, ofAll.provider, `provider-${agent.provider}`));
    roles[role] = { ...agent, model: models[role] ?? agent.model };
  }
  const others = (kind: 'fallback' | 'competitors'): readonly AgentConfig[] =>
    written.agents[kind].map((entry, n) => {
      const agent = filled(entry, null);
      const path = ['agents', kind, n];
      check(agent, path, mistakes);
      if (agent.provider === 'replay')
        mistakes.push(notSupported([...path, 'provider'], 'replay', 'claude | codex | acp', kind));
      return agent;
    });
  const [fallback, competitors] = [others('fallback'), others('competitors')];
  return { agents: { default: ofAll, roles, fallback, competitors }, models };
}

function filled(entry: AgentEntry, standard: AgentConfig | null): AgentConfig {
  const provider = entry.provider ?? standard?.provider ?? 'claude';
  const base = provider === standard?.provider ? standard : null;
  const files = entry.files ?? base?.files;
  return {
    provider,
    model: entry.model === undefined ? (base?.model ?? null) : entry.model,
    command: entry.command ?? base?.command ?? [],
    env: entry.env === undefined ? (base?.env ?? {}) : mapValues(entry.env, String),
    scenario: entry.scenario ?? base?.scenario ?? null,
    ...(files === undefined ? {} : { files }),
  };
}

/** The provider from the command line; it applies to every agent of this run. */
export type AgentChoice = { readonly provider: ProviderName; readonly scenario: string | null };

/** Keeps what is written for the same provider; models and commands of another one do not apply. */
function withChoice({ agents, models }: WrittenAgents, { provider, scenario }: AgentChoice): WrittenAgents {
  const { default: standard } = agents;
  const chosen = scenario === null ? {} : { scenario };
  if ((standard.provider ?? 'claude') === provider && provider !== 'replay')
    return { agents: { ...agents, default: { ...standard, ...chosen } }, models };
  const known = standard.provider === provider ? { scenario: standard.scenario } : {};
  return {
    agents: { default: { provider, ...known, ...chosen }, roles: {}, fallback: [], competitors: [] },
    models: {},
  };
}

/** Providers whose program can be set. */
const STARTED_BY_COMMAND: readonly ProviderName[] = ['acp', 'codex', 'scripted'];

function check(agent: AgentConfig, path: Path, mistakes: ConfigMistake[]): void {
  const { provider, command, scenario } = agent;
  const needsScenario = provider === 'scripted' || provider === 'replay';
  if (provider === 'acp' && command.length === 0)
    mistakes.push(missing([...path, 'command'], '[program, argument, …]', 'provider-acp'));
  if (needsScenario && scenario === null) mistakes.push(missing([...path, 'scenario'], 'text', `provider-${provider}`));
  if (command.length > 0 && !STARTED_BY_COMMAND.includes(provider)) {
    const allowed = `provider ${STARTED_BY_COMMAND.join(' | ')}`;
    mistakes.push(notSupported([...path, 'command'], command, allowed, `provider-${provider}`));
  }
  if (scenario !== null && !needsScenario)
    mistakes.push(notSupported([...path, 'scenario'], scenario, 'provider scripted | replay', `provider-${provider}`));
}
