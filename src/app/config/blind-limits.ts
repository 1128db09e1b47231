// Budgets that cannot act with an agent of this configuration: it reports neither money nor what its price could be made of.
import { knownAs } from '../../agents/known.ts';
import type { AgentConfig, Config } from '../../model/config.ts';
import { priceOf } from '../../model/prices.ts';

/**
 * `no-tokens`: it reports no use at all. `no-price`: it reports tokens, and its model has no price. `last-tokens`: it reports too few of
 * them. `unknown-agent`: it depends on what it reports.
 */
export type BlindWhy = 'no-tokens' | 'no-price' | 'last-tokens' | 'unknown-agent';
export type BlindLimit = { readonly agent: string; readonly why: BlindWhy; readonly keys: readonly string[] };

const BUDGETS = [
  ['perSessionUsd', 'costs.per_session_usd'],
  ['perFeatureUsd', 'costs.per_feature_usd'],
  ['totalProjectUsd', 'costs.total_project_usd'],
] as const;

export function blindLimits({ agents, costs }: Pick<Config, 'agents' | 'costs'>): readonly BlindLimit[] {
  const keys = BUDGETS.flatMap(([name, key]) => (costs[name] === null ? [] : [key]));
  if (keys.length === 0) return [];
  const used = [agents.default, ...Object.values(agents.roles), ...agents.fallback];
  const blind = used.flatMap((agent) => {
    const why = whyBlind(agent, costs.prices);
    return why === null ? [] : [{ agent: nameOf(agent), why, keys }];
  });
  return [...new Map(blind.map((one) => [`${one.agent} ${one.why}`, one])).values()];
}

function whyBlind(agent: AgentConfig, prices: Config['costs']['prices']): BlindWhy | null {
  if (agent.provider === 'scripted' || agent.provider === 'replay') return null;
  const known = knownAs(agent);
  const price = priceOf(agent.model, prices);
  if (known === null) return 'unknown-agent';
  if (known.money) return null;
  if (known.tokens === 'no') return 'no-tokens';
  if (price === null) return 'no-price';
  return known.tokens === 'last-request' ? 'last-tokens' : null;
}

const nameOf = (agent: AgentConfig): string =>
  [knownAs(agent)?.name ?? [agent.provider, ...agent.command.slice(0, 1)].join(' '), agent.model ?? '']
    .join(' ')
    .trim();
