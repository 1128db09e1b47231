// What costs.yaml says has been spent, in every unit. The one reading of it for whatever a budget decides.
import { z } from 'zod';
import { NO_AMOUNTS, raisedShape, type Amounts, type Spent } from './budget.ts';
import { costsIn } from './costs-text.ts';

/** `cached` is missing in files of the first version of the reference. */
export const tokensSchema = z.object({ input: z.number(), output: z.number(), cached: z.number().default(0) });
export type TokenCounts = Readonly<z.output<typeof tokensSchema>>;

/** Tokens of an item, and minutes, are missing in records of programs that limited only money: they count from then on. */
const used = { tokens: tokensSchema.optional(), minutes: z.number().optional() };
const oneSession = z.looseObject({ session_id: z.number(), cost_usd: z.number(), ...used });
const oneItem = z.looseObject({ feature_id: z.union([z.number(), z.string()]), cost_usd: z.number(), ...used });
export const spentShape = z.looseObject({
  current_session: oneSession.optional(),
  counted: z.array(oneSession).default([]),
  cumulative: z.looseObject({
    total_cost_usd: z.number(),
    total_tokens: tokensSchema.optional(),
    total_minutes: z.number().optional(),
    by_feature: z.array(oneItem),
  }),
  raised: raisedShape.default([]),
});
type SpentRecord = z.input<typeof spentShape>;

/** What the text of costs.yaml says was spent. `parse`: of the YAML library. Throws where it does not fit. */
export const spentOf = (text: string, parse: (text: string) => unknown): z.output<typeof spentShape> =>
  spentShape.parse(costsIn(text, parse));

/** `session`: one whose own use counts against the budgets of a session; 0: none. */
export function spentIn(record: SpentRecord | null, item: string, session: number): Spent {
  if (record === null) return { session: NO_AMOUNTS, feature: NO_AMOUNTS, project: NO_AMOUNTS };
  const { current_session: current, counted = [], cumulative } = record;
  const own = [...counted, ...(current === undefined ? [] : [current])].find((one) => one.session_id === session);
  const { total_cost_usd: cost_usd, total_tokens: tokens, total_minutes: minutes } = cumulative;
  return {
    session: amountsIn(own),
    feature: amountsIn(cumulative.by_feature.find((one) => String(one.feature_id) === item)),
    project: amountsIn({ cost_usd, tokens, minutes }),
  };
}

type Line = {
  readonly cost_usd: number;
  readonly tokens?: { readonly input: number; readonly output: number } | undefined;
  readonly minutes?: number | undefined;
};
const amountsIn = (line: Line | undefined): Amounts => ({
  usd: line?.cost_usd ?? 0,
  tokens: (line?.tokens?.input ?? 0) + (line?.tokens?.output ?? 0),
  minutes: line?.minutes ?? 0,
});
