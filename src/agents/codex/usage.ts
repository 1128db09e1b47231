// What was consumed, from the totals of a thread that the program reports, which include every resume. Pure.
import { z } from 'zod';
import type { Tokens } from '../tokens.ts';

const count = z.number().nonnegative();
const breakdown = z.looseObject({ inputTokens: count, cachedInputTokens: count, outputTokens: count });
const report = z.looseObject({ total: breakdown, last: breakdown, modelContextWindow: count.nullish().catch(null) });
type Breakdown = z.output<typeof breakdown>;

/** `total`: since the thread began. `last`: of the last request alone; reported again where nothing is new. */
export type TokenReport = {
  readonly total: Tokens;
  readonly last: Tokens;
  /** Tokens that the model's context can hold; null: not reported. */
  readonly window: number | null;
};

/** Null: not in the known form. */
export function readTokenReport(tokenUsage: unknown): TokenReport | null {
  const read = report.safeParse(tokenUsage);
  if (!read.success) return null;
  const { total, last, modelContextWindow } = read.data;
  return { total: tokensOf(total), last: tokensOf(last), window: modelContextWindow ?? null };
}

const tokensOf = ({ inputTokens, cachedInputTokens, outputTokens }: Breakdown): Tokens => ({
  input: Math.max(0, inputTokens - cachedInputTokens),
  output: outputTokens,
  cached: cachedInputTokens,
});

/**
 * What was consumed since the totals `before`. Where these are unknown (null: a resumed thread has not reported its totals), or the
 * totals were reset, it is the last request alone.
 */
export function shareOf({ total, last }: TokenReport, before: Tokens | null): Tokens {
  if (before === null) return last;
  const wasReset = total.input < before.input || total.output < before.output || total.cached < before.cached;
  if (wasReset) return last;
  return {
    input: total.input - before.input,
    output: total.output - before.output,
    cached: total.cached - before.cached,
  };
}
