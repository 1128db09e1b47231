// What one turn consumed, from the little the protocol tells: cumulative cost, context fill, sometimes tokens of the turn.
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

/** What a session told in one turn: its whole cost so far, and the context fill; null: not told in this turn. */
export type Reading = { readonly costUsd: number | null; readonly used: number | null };
export const UNTOLD: Reading = { costUsd: null, used: null };

/**
 * The usage of one turn. `response` is the answer to the prompt, `costBefore` the cost of the session when it began; null:
 * unknown, as in a session resumed from elsewhere. Tokens are a lower bound: agents count their last
 * model call only, and where they tell no tokens at all the context fill stands for what was read at least once.
 */
export function turnUsage(response: unknown, costBefore: number | null, told: Reading): Usage {
  const { costUsd: cost, used } = told;
  const costUsd = costBefore === null || cost === null ? null : roundUsd(Math.max(0, cost - costBefore));
  const tokens = answer.safeParse(response);
  if (tokens.success) {
    const { inputTokens, outputTokens, cachedReadTokens } = tokens.data.usage;
    return { inputTokens, outputTokens, cachedTokens: cachedReadTokens ?? 0, costUsd, source: 'partial' };
  }
  if (used === null) return NO_USAGE;
  return { inputTokens: used, outputTokens: 0, cachedTokens: 0, costUsd, source: 'partial' };
}

/** A report of the context's fill, with what the turn cost so far where both totals are known. An unlikely size is no size. */
export const contextOf = (
  { used, size, costUsd }: { readonly used: number; readonly size: number; readonly costUsd: number | null },
  costBefore: number | null,
): Extract<AgentEvent, { t: 'context' }> => ({
  t: 'context',
  used,
  window: size > 0 && Number.isFinite(size) ? size : null,
  costUsd: costUsd === null || costBefore === null ? null : roundUsd(Math.max(0, costUsd - costBefore)),
});

/** Subtracting running totals leaves dust behind; a billionth of a dollar is exact enough. */
const roundUsd = (usd: number): number => Math.round(usd * 1e9) / 1e9;
