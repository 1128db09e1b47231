// Counts of tokens, as far as providers report them alike.
import type { Usage } from '../model/usage.ts';

/** `input` is what was not read from the cache, so it includes what was written to the cache. */
export type Tokens = { readonly input: number; readonly output: number; readonly cached: number };

export const NO_TOKENS: Tokens = { input: 0, output: 0, cached: 0 };

export const addTokens = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cached: a.cached + b.cached,
});

export const areNone = ({ input, output, cached }: Tokens): boolean => input + output + cached === 0;

/** `costUsd`: US dollars; null: unknown. */
export const asUsage = (tokens: Tokens, costUsd: number | null, source: Usage['source']): Usage => ({
  inputTokens: tokens.input,
  outputTokens: tokens.output,
  cachedTokens: tokens.cached,
  costUsd,
  source,
});
