// Which agent every role gets, from `agents` and `models`; and what a provider needs or has no use for.
import { MODEL_NAMES, type AgentConfig, type Config, type ProviderName } from '../../model/config.ts';
import { missing, notSupported, type Mistake } from './mistake.ts';
import type { Path } from './read.ts';
import type { Written } from './schema.ts';
import type { AgentEntry } from './sections-agents.ts';

/**
 * `models.<role>` › the role's own entry › `models.default` › `agents.default`. An entry with another provider than the
 * default takes nothing from the default: a model or a command means nothing to somebody else.
 */
export function resolveAgents(written: Written, mistakes: Mistake[]): Pick<Config, 'agents' | 'models'> {
  const { default: modelOfAll, ...modelOf } = written.models;
  const standard = filled(written.agents.default, null);
  const all: AgentConfig = { ...standard, model: modelOfAll ?? standard.model };
  check(all, ['agents', 'default'], mistakes);

  const roles: Record<string, AgentConfig> = {};
  const entries: { readonly [role: string]: AgentEntry | undefined } = written.agents.roles;
  const models: Record<string, string> = {};
  for (const [role, model] of Object.entries(modelOf)) if (model !== undefined) models[role] = model;
  const isName = (key: string): boolean => MODEL_NAMES.some((name) => name === key);
  for (const role of new Set([...Object.keys(entries), ...Object.keys(models)].filter((key) => !isName(key)))) {
    const agent = filled(entries[role] ?? {}, all);
    const path = ['agents', 'roles', role];
    if (namesSomeone(entries[role])) check(agent, path, mistakes);
    // A run is recorded as a whole, and played as one.
    if ((agent.provider === 'replay') !== (all.provider === 'replay'))
      mistakes.push(notSupported([...path, 'provider'], agent.provider, all.provider, `provider-${agent.provider}`));
    roles[role] = { ...agent, model: models[role] ?? agent.model };
  }
  const fallback = written.agents.fallback.map((entry, n) => {
    const agent = filled(entry, null);
    check(agent, ['agents', 'fallback', n], mistakes);
    if (agent.provider === 'replay')
      mistakes.push(notSupported(['agents', 'fallback', n, 'provider'], 'replay', 'claude | codex | acp', 'fallback'));
    return agent;
  });
  return { agents: { default: all, roles, fallback }, models };
}

function filled(entry: AgentEntry, standard: AgentConfig | null): AgentConfig {
  const provider = entry.provider ?? standard?.provider ?? 'claude';
  const base = provider === standard?.provider ? standard : null;
  return {
    provider,
    model: entry.model === undefined ? (base?.model ?? null) : entry.model,
    command: entry.command ?? base?.command ?? [],
    env:
      entry.env === undefined
        ? (base?.env ?? {})
        : Object.fromEntries(Object.entries(entry.env).map(([name, value]) => [name, String(value)])),
    scenario: entry.scenario ?? base?.scenario ?? null,
  };
}

/** What the command line says of the agents: every one of this run is that provider's. */
export type AgentChoice = { readonly provider: ProviderName; readonly scenario: string | null };

/**
 * The configuration as if it had been written so. What it says of the same provider stays; a model or a command of another
 * means nothing to this one.
 */
export function chosenAgents(written: unknown, { provider, scenario }: AgentChoice): unknown {
  const {
    agents = {},
    models,
    ...rest
  } = (written ?? {}) as {
    readonly agents?: { readonly default?: AgentEntry };
    readonly models?: unknown;
  };
  const standard = agents.default ?? {};
  const named = scenario === null ? {} : { scenario };
  if ((standard.provider ?? 'claude') === provider && provider !== 'replay')
    return {
      ...rest,
      agents: { ...agents, default: { ...standard, ...named } },
      ...(models === undefined ? {} : { models }),
    };
  const known =
    standard.provider === provider && standard.scenario !== undefined ? { scenario: standard.scenario } : {};
  return { ...rest, agents: { default: { provider, ...known, ...named } } };
}

/** Whose program can be named. */
const STARTED_BY_COMMAND: readonly ProviderName[] = ['acp', 'codex', 'scripted'];

/** What an entry only inherits is the mistake of `agents.default`, told there. */
const namesSomeone = (entry: AgentEntry | undefined): boolean =>
  entry?.provider !== undefined || entry?.command !== undefined || entry?.scenario !== undefined;

function check(agent: AgentConfig, path: Path, mistakes: Mistake[]): void {
  const { provider } = agent;
  if (provider === 'acp' && agent.command.length === 0)
    mistakes.push(missing([...path, 'command'], '[program, argument, …]', 'provider-acp'));
  if (provider === 'scripted' && agent.scenario === null)
    mistakes.push(missing([...path, 'scenario'], 'text', 'provider-scripted'));
  if (provider === 'replay' && agent.scenario === null)
    mistakes.push(missing([...path, 'scenario'], 'text', 'provider-replay'));
  if (agent.command.length > 0 && !STARTED_BY_COMMAND.includes(provider))
    mistakes.push(
      notSupported(
        [...path, 'command'],
        agent.command,
        `provider ${STARTED_BY_COMMAND.join(' | ')}`,
        `provider-${provider}`,
      ),
    );
  if (agent.scenario !== null && provider !== 'scripted' && provider !== 'replay')
    mistakes.push(
      notSupported([...path, 'scenario'], agent.scenario, 'provider scripted | replay', `provider-${provider}`),
    );
}
