// What one turn consumed, as far as the protocol reports it: cumulative cost, context fill, sometimes tokens of the turn.
import { z } from 'zod';
import type { AgentEvent } from '../../model/event.ts';
import { NO_USAGE, type Usage } from '../../model/usage.ts';

const count = z.number().int().nonnegative();
const answer = z.looseObject({
  usage: z.looseObject({
    inputTokens: count,
    outputTokens: count,
    cachedReadTokens: count.nullish(),
  }),
});

/** What a session reported in one turn: its whole cost so far, and the context fill; null: not reported in this turn. */
export type UsageReport = { readonly costUsd: number | null; readonly used: number | null };
export const NO_REPORT: UsageReport = { costUsd: null, used: null };

/**
 * The usage of one turn. `response` is that of the prompt, `costBefore` the cost of the session when the turn began; null: unknown, as in
 * a session resumed from elsewhere. Tokens are a lower bound: agents count their last model call only, and for one that reports no tokens
 * the context fill is what was read at least once.
 */
export function turnUsage(response: unknown, costBefore: number | null, report: UsageReport): Usage {
  const { costUsd: cost, used } = report;
  const costUsd = costBefore === null || cost === null ? null : roundUsd(Math.max(0, cost - costBefore));
  const tokens = answer.safeParse(response);
  if (tokens.success) {
    const { inputTokens, outputTokens, cachedReadTokens } = tokens.data.usage;
    return { inputTokens, outputTokens, cachedTokens: cachedReadTokens ?? 0, costUsd, source: 'partial' };
  }
  if (used === null) return NO_USAGE;
  return { inputTokens: used, outputTokens: 0, cachedTokens: 0, costUsd, source: 'partial' };
}

/** An event with the context's fill, and the cost of the turn so far where both totals are known. An impossible size is ignored. */
export const contextOf = (
  { used, size, costUsd }: { readonly used: number; readonly size: number; readonly costUsd: number | null },
  costBefore: number | null,
): Extract<AgentEvent, { t: 'context' }> => ({
  t: 'context',
  used,
  window: size > 0 && Number.isFinite(size) ? size : null,
  costUsd: costUsd === null || costBefore === null ? null : roundUsd(Math.max(0, costUsd - costBefore)),
});

/** To a billionth of a dollar, because subtracting running totals leaves rounding errors. */
const roundUsd = (usd: number): number => Math.round(usd * 1e9) / 1e9;
