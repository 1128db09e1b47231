// What a session consumed, as the provider reports it; `source` says how complete the figures are.

import { z } from 'zod';

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  /** US dollars, always an estimate; null: neither the provider nor the price table has an amount. */
  costUsd: z.number().nullable(),
  source: z.enum(['reported', 'partial', 'none']),
});
export type Usage = z.output<typeof usageSchema>;

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: null, source: 'none' };

export function addUsage(a: Usage, b: Usage): Usage {
  const costUsd = a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd,
    source: weakest(a.source, b.source, a, b),
  };
}

function weakest(a: Usage['source'], b: Usage['source'], left: Usage, right: Usage): Usage['source'] {
  if (isEmpty(left)) return b;
  if (isEmpty(right)) return a;
  const order = ['none', 'partial', 'reported'] as const;
  return order[Math.min(order.indexOf(a), order.indexOf(b))] ?? 'none';
}

const isEmpty = (u: Usage): boolean => u.source === 'none' && u.inputTokens + u.outputTokens + u.cachedTokens === 0;
