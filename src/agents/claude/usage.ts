// What a turn consumed: Claude reports tokens per turn in one place, and totals in another. Pure.
import type { Usage } from '../../model/usage.ts';
import { addTokens, asUsage, NO_TOKENS, type Tokens } from '../tokens.ts';
import type { ApiUsage, ModelUsage, SdkMessage } from './sdk.ts';

/** What a session has consumed since it began, every resume included, as the program reports it. */
export type Totals = Tokens & { readonly costUsd: number };

export const NO_TOTALS: Totals = { ...NO_TOKENS, costUsd: 0 };

export const tokensOf = (usage: ApiUsage | undefined): Tokens => ({
  input: (usage?.input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0),
  output: usage?.output_tokens ?? 0,
  cached: usage?.cache_read_input_tokens ?? 0,
});

/** What is in `a` and not yet in `b`; never below zero. */
export const restOf = (a: Tokens, b: Tokens): Tokens => ({
  input: Math.max(0, a.input - b.input),
  output: Math.max(0, a.output - b.output),
  cached: Math.max(0, a.cached - b.cached),
});

const sameTokens = (a: Tokens, b: Tokens): boolean =>
  a.input === b.input && a.output === b.output && a.cached === b.cached;
const covers = (a: Totals, b: Totals): boolean =>
  a.input >= b.input && a.output >= b.output && a.cached >= b.cached && a.costUsd >= b.costUsd;

export function totalsOf(result: SdkMessage): Totals {
  let sum = NO_TOKENS;
  for (const model of Object.values(result.modelUsage ?? {}))
    sum = addTokens(sum, {
      input: (model.inputTokens ?? 0) + (model.cacheCreationInputTokens ?? 0),
      output: model.outputTokens ?? 0,
      cached: model.cacheReadInputTokens ?? 0,
    });
  return { ...sum, costUsd: result.total_cost_usd ?? 0 };
}

/** The window of the model that read most, because background jobs may use another one. Null: the program does not report it. */
export function windowOf(result: SdkMessage): number | null {
  const models = Object.values(result.modelUsage ?? {}).sort((a, b) => readBy(b) - readBy(a));
  return models[0]?.contextWindow ?? null;
}
const readBy = (model: ModelUsage): number => (model.inputTokens ?? 0) + (model.cacheReadInputTokens ?? 0);

/**
 * The share of one result. `before`: the totals of the previous result. For the first one after a resume, the totals that may have been
 * carried over: a crash can have lost either, so those apply that explain the turn.
 */
export function shareOf(result: SdkMessage, before: { readonly known: Totals } | { readonly either: Totals[] }): Usage {
  const turn = tokensOf(result.usage);
  const totals = totalsOf(result);
  if ('known' in before) {
    if (!covers(totals, before.known)) return asUsage(turn, null, 'partial');
    return asUsage(restOf(totals, before.known), round(totals.costUsd - before.known.costUsd), 'reported');
  }
  const base = before.either.find((t) => covers(totals, t) && sameTokens(restOf(totals, t), turn));
  return base === undefined
    ? asUsage(turn, null, 'partial')
    : asUsage(turn, round(totals.costUsd - base.costUsd), 'reported');
}

/** To a billionth of a dollar, so that differences of binary fractions do not look like 0.0017549999999999998. */
const round = (usd: number): number => Math.round(usd * 1e9) / 1e9;
