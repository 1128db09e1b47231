// What tokens cost if the provider does not report it: list prices in US dollars for a million tokens, an estimate by nature.
// What the configuration says (`costs.prices`) wins; the table is the providers' public lists as of November 2025.
import { entryOf } from './entry.ts';
import type { Usage } from './usage.ts';

export type Price = { readonly input: number; readonly output: number; readonly cached: number };

const LISTED: { readonly [model: string]: Price } = {
  'claude-opus-4-5': { input: 5, output: 25, cached: 0.5 },
  'claude-opus-4-1': { input: 15, output: 75, cached: 1.5 },
  'claude-opus-4': { input: 15, output: 75, cached: 1.5 },
  'claude-sonnet-4-5': { input: 3, output: 15, cached: 0.3 },
  'claude-sonnet-4': { input: 3, output: 15, cached: 0.3 },
  'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1 },
  'claude-haiku-3': { input: 0.25, output: 1.25, cached: 0.03 },
  'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005 },
  'gpt-5-codex': { input: 1.25, output: 10, cached: 0.125 },
  'gpt-5': { input: 1.25, output: 10, cached: 0.125 },
};

/** A dated name (`claude-sonnet-4-5-20250929`) is the model that it begins with. null: unknown. */
export function priceOf(model: string | null, configured: { readonly [model: string]: Price }): Price | null {
  if (model === null) return null;
  return entryOf(configured, model) ?? listed(configured, model) ?? listed(LISTED, model);
}

const DATE = /^-(?:\d{8}|\d{4}-\d\d-\d\d)$/;
function listed(table: { readonly [model: string]: Price }, model: string): Price | null {
  const known = Object.entries(table).find(
    ([one]) => model === one || (model.startsWith(one) && DATE.test(model.slice(one.length))),
  );
  return known?.[1] ?? null;
}

const MILLION = 1_000_000;
/** US dollars. */
export const costOf = (used: Pick<Usage, 'inputTokens' | 'outputTokens' | 'cachedTokens'>, price: Price): number =>
  (used.inputTokens * price.input + used.outputTokens * price.output + used.cachedTokens * price.cached) / MILLION;

/** The provider's figure where there is one, else the price of what was used. */
export const priced = (usage: Usage, price: Price | null): Usage =>
  usage.costUsd !== null || price === null || usage.source === 'none'
    ? usage
    : { ...usage, costUsd: costOf(usage, price) };
