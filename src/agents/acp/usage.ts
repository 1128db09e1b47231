// What one turn consumed, from the little the protocol tells: cumulative cost, context fill, sometimes tokens of the turn.
import { z } from 'zod';
import { NO_USAGE, type Usage } from '../../model/usage.ts';

const count = z.number().int().nonnegative();
const answer = z.looseObject({
  usage: z.looseObject({
    inputTokens: count,
    outputTokens: count,
    cachedReadTokens: count.nullish(),
  }),
});

/** Readings of a session: cost so far (null: unknown), and the context fill last told in this turn (null: not told). */
export type Reading = { readonly costUsd: number | null; readonly used: number | null };

/**
 * The usage of one turn. `response` is the answer to the prompt. Tokens are a lower bound: agents count their last model
 * call only, and where they tell no tokens at all the context fill stands for what was read at least once.
 */
export function turnUsage(response: unknown, before: Reading, after: Reading): Usage {
  const tokens = answer.safeParse(response);
  const costUsd = costOf(before.costUsd, after.costUsd);
  if (tokens.success) {
    const told = tokens.data.usage;
    return {
      inputTokens: told.inputTokens,
      outputTokens: told.outputTokens,
      cachedTokens: told.cachedReadTokens ?? 0,
      costUsd,
      source: 'partial',
    };
  }
  if (after.used === null && costUsd === null) return NO_USAGE;
  return { inputTokens: after.used ?? 0, outputTokens: 0, cachedTokens: 0, costUsd, source: 'partial' };
}

/** A resumed session tells its whole cost first: without an earlier reading the turn's share is unknown. */
function costOf(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : Math.max(0, after - before);
}
