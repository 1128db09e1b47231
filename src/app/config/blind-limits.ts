// Budgets that cannot act with an agent of this configuration: it does not report what they count.
import { knownAs } from '../../agents/known.ts';
import { measuresOf, type Unit } from '../../model/budget.ts';
import type { AgentConfig, Config } from '../../model/config.ts';
import { priceOf } from '../../model/prices.ts';

/**
 * `no-tokens`: it reports no use at all. `no-price`: it reports tokens, and its model has no price. `last-tokens`: it reports too few of
 * them. `unknown-agent`: it depends on what it reports.
 */
export type BlindWhy = 'no-tokens' | 'no-price' | 'last-tokens' | 'unknown-agent';
export type BlindLimit = { readonly agent: string; readonly why: BlindWhy; readonly keys: readonly string[] };

export function blindLimits({
  agents,
  costs,
  limits,
}: Pick<Config, 'agents' | 'costs' | 'limits'>): readonly BlindLimit[] {
  const measures = measuresOf({ costs, limits });
  const used = [agents.default, ...Object.values(agents.roles), ...agents.fallback, ...agents.competitors];
  const found = new Map<string, { agent: string; why: BlindWhy; keys: Set<string> }>();
  for (const agent of used)
    for (const { unit, key } of measures) {
      const why = whyBlind(agent, unit, costs.prices);
      if (why === null) continue;
      const name = nameOf(agent);
      const one = found.get(`${name} ${why}`) ?? { agent: name, why, keys: new Set() };
      one.keys.add(key);
      found.set(`${name} ${why}`, one);
    }
  return [...found.values()].map((one) => ({ ...one, keys: [...one.keys] }));
}

/** Why a limit in this unit cannot act; null: it acts. Time is our own measure. */
function whyBlind(agent: AgentConfig, unit: Unit, prices: Config['costs']['prices']): BlindWhy | null {
  if (unit === 'minutes' || agent.provider === 'scripted' || agent.provider === 'replay') return null;
  const known = knownAs(agent);
  if (known === null) return 'unknown-agent';
  if (unit === 'usd' && known.money) return null;
  if (known.tokens === 'no') return 'no-tokens';
  if (unit === 'usd' && priceOf(agent.model, prices) === null) return 'no-price';
  return known.tokens === 'last-request' ? 'last-tokens' : null;
}

const nameOf = (agent: AgentConfig): string =>
  [knownAs(agent)?.name ?? [agent.provider, ...agent.command.slice(0, 1)].join(' '), agent.model ?? '']
    .join(' ')
    .trim();
