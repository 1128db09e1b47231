// `costs.yaml`: what sessions cost, in total and by feature. A session is counted once, however often it is recorded.
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { raisedShape, type Raise } from '../../model/budget.ts';
import { unfit } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Usage } from '../../model/usage.ts';

/** `cached` came with a later version of the reference: files of earlier ones do not have it. */
const tokens = z.object({ input: z.number(), output: z.number(), cached: z.number().default(0) });
const costsSchema = z.looseObject({
  current_session: z.looseObject({ session_id: z.number(), started: z.string(), tokens, cost_usd: z.number() }),
  cumulative: z.looseObject({
    total_sessions: z.number(),
    total_tokens: tokens,
    total_cost_usd: z.number(),
    by_feature: z.array(
      z.looseObject({ feature_id: z.union([z.number(), z.string()]), cost_usd: z.number(), sessions: z.number() }),
    ),
  }),
  /** The last sessions that are counted: runs in several work trees record in turn. Left out by older programs. */
  counted: z
    .array(z.looseObject({ session_id: z.number(), cost_usd: z.number(), tokens: tokens.optional() }))
    .optional(),
  budgets: z.record(z.string(), z.number().nullable()),
  raised: raisedShape.optional(),
});
export type Costs = z.infer<typeof costsSchema>;

export type SessionCost = {
  readonly session: number;
  readonly item: string;
  readonly started: string;
  readonly usage: Usage;
};
export type CostLimits = { readonly [name: string]: number | null };

/** Fails with `state-unreadable` where the file does not fit its form: money is never guessed. */
export function readCosts(text: string | null, file: string): Result<Costs | null> {
  if (text === null) return ok(null);
  try {
    return ok(costsSchema.parse(parse(text)));
  } catch (error) {
    return err(unfit(file, error));
  }
}

/**
 * The costs with a session in them. Sums are rounded to a hundredth of a cent. One that is there already is counted with what it has used
 * since: a question may interrupt it. Of an older program it is known only that it is there.
 */
export function withSession(before: Costs | null, cost: SessionCost, budgets: CostLimits): Costs {
  const { usage } = cost;
  const used = { input: usage.inputTokens, output: usage.outputTokens, cached: usage.cachedTokens };
  const usd = usage.costUsd ?? 0;
  const counted = before?.counted ?? [];
  const known = counted.find((one) => one.session_id === cost.session);
  if (before !== null && (known !== undefined || before.current_session.session_id === cost.session))
    return known?.tokens === undefined ? before : withMore(before, cost, { used, usd, known: known.tokens });
  const old = (before ?? NOTHING).cumulative;
  const id = /^\d+$/.test(cost.item) ? Number(cost.item) : cost.item;
  const had = old.by_feature.find((f) => f.feature_id === id) ?? { feature_id: id, cost_usd: 0, sessions: 0 };
  const now = { ...had, cost_usd: money(had.cost_usd + usd), sessions: had.sessions + 1 };
  const isKnown = old.by_feature.some((f) => f.feature_id === id);
  return {
    ...before,
    current_session: { session_id: cost.session, started: cost.started, tokens: used, cost_usd: money(usd) },
    cumulative: {
      ...old,
      total_sessions: old.total_sessions + 1,
      total_tokens: {
        input: old.total_tokens.input + used.input,
        output: old.total_tokens.output + used.output,
        cached: old.total_tokens.cached + used.cached,
      },
      total_cost_usd: money(old.total_cost_usd + usd),
      by_feature: isKnown ? old.by_feature.map((f) => (f.feature_id === id ? now : f)) : [...old.by_feature, now],
    },
    counted: [...counted, { session_id: cost.session, cost_usd: money(usd), tokens: used }].slice(-MOST_COUNTED),
    budgets,
  };
}

type Tokens = z.output<typeof tokens>;

/** What the session has used since it was counted. */
function withMore(
  costs: Costs,
  { session, item }: SessionCost,
  { used, usd, known }: { readonly used: Tokens; readonly usd: number; readonly known: Tokens },
): Costs {
  const counted = costs.counted ?? [];
  const more = money(usd - (counted.find((one) => one.session_id === session)?.cost_usd ?? 0));
  if (more < 0) return costs; // its turns cannot be read any more
  const { cumulative: old, current_session: current } = costs;
  const sum = (a: Tokens, b: Tokens, sign: 1 | -1): Tokens => ({
    input: a.input + sign * b.input,
    output: a.output + sign * b.output,
    cached: a.cached + sign * b.cached,
  });
  const isCurrent = current.session_id === session;
  return {
    ...costs,
    current_session: isCurrent ? { ...current, tokens: used, cost_usd: money(usd) } : current,
    cumulative: {
      ...old,
      total_tokens: sum(sum(old.total_tokens, used, 1), known, -1),
      total_cost_usd: money(old.total_cost_usd + more),
      by_feature: old.by_feature.map((f) =>
        String(f.feature_id) === item ? { ...f, cost_usd: money(f.cost_usd + more) } : f,
      ),
    },
    counted: counted.map((one) => (one.session_id === session ? { ...one, cost_usd: money(usd), tokens: used } : one)),
  };
}

const MOST_COUNTED = 50;
const NOTHING: Costs = {
  current_session: { session_id: 0, started: '', tokens: { input: 0, output: 0, cached: 0 }, cost_usd: 0 },
  cumulative: {
    total_sessions: 0,
    total_tokens: { input: 0, output: 0, cached: 0 },
    total_cost_usd: 0,
    by_feature: [],
  },
  budgets: {},
};

/** The costs with a limit that a user raised; the same raise (`from` the same limit) is written once. */
export function withRaise(
  before: Costs | null,
  raise: Raise & { readonly from: number; readonly by: string; readonly at: string },
): Costs {
  const costs = before ?? NOTHING;
  const raised = costs.raised ?? [];
  const isThere = raised.some((r) => r.scope === raise.scope && r.item === raise.item && r['from'] === raise.from);
  return isThere ? costs : { ...costs, raised: [...raised, { ...raise }] };
}

const HEAD =
  '# What the work has cost, in US dollars: estimates, by the provider’s own figures or by the price of the tokens.\n';
export const renderCosts = (costs: Costs): string => HEAD + stringify(costs, { aliasDuplicateObjects: false });

const money = (usd: number): number => Math.round(usd * 10_000) / 10_000;
