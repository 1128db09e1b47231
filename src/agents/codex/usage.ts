// Owns the arithmetic of what was consumed: the program tells the totals of a thread, over every resume. Pure.
import { z } from 'zod';
import type { Usage } from '../../model/usage.ts';

/** `input` is what was not read from the cache. */
export type Tokens = { readonly input: number; readonly output: number; readonly cached: number };
export const NO_TOKENS: Tokens = { input: 0, output: 0, cached: 0 };

const count = z.number().nonnegative();
const breakdown = z.looseObject({ inputTokens: count, cachedInputTokens: count, outputTokens: count });
const told = z.looseObject({ total: breakdown, last: breakdown, modelContextWindow: count.nullish().catch(null) });
type Breakdown = z.output<typeof breakdown>;

/** `total`: since the thread began. `last`: of the newest request alone; it is told again when nothing is new. */
export type Told = {
  readonly total: Tokens;
  readonly last: Tokens;
  /** Tokens that the model's context can hold; null: not told. */
  readonly window: number | null;
};

/** null: not as we know it. */
export function readTold(tokenUsage: unknown): Told | null {
  const read = told.safeParse(tokenUsage);
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
 * What came on top of `before`. null, as where a resumed thread did not tell its totals first: then the newest request
 * alone. So it is, too, where the totals began anew.
 */
export function shareOf({ total, last }: Told, before: Tokens | null): Tokens {
  if (before === null) return last;
  const isAnew = total.input < before.input || total.output < before.output || total.cached < before.cached;
  if (isAnew) return last;
  return {
    input: total.input - before.input,
    output: total.output - before.output,
    cached: total.cached - before.cached,
  };
}

export const addTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cached: a.cached + b.cached,
});

export const isNothing = ({ input, output, cached }: Tokens): boolean => input + output + cached === 0;

/** Codex knows no money. */
export const asUsage = (tokens: Tokens, source: Usage['source']): Usage => ({
  inputTokens: tokens.input,
  outputTokens: tokens.output,
  cachedTokens: tokens.cached,
  costUsd: null,
  source,
});
