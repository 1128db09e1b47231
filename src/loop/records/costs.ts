// `costs.yaml`: what sessions cost, in total and by feature. A session is counted once, however often it is recorded.
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { raisedShape, type Raise, type Unit } from '../../model/budget.ts';
import { costsIn, keepCosts, itemLines } from '../../model/costs-text.ts';
import { unfit } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { tokensSchema, type TokenCounts } from '../../model/spent.ts';
import type { Usage } from '../../model/usage.ts';
import { storedId } from './stored-id.ts';

const used = { tokens: tokensSchema, minutes: z.number().optional() };
const costsSchema = z.looseObject({
  current_session: z.looseObject({ session_id: z.number(), started: z.string(), cost_usd: z.number(), ...used }),
  cumulative: z.looseObject({
    total_sessions: z.number(),
    total_tokens: tokensSchema,
    total_cost_usd: z.number(),
    /** Of the agents' turns; left out by programs that limited only money, as the same of each item. */
    total_minutes: z.number().optional(),
    by_feature: z.array(
      z.looseObject({
        feature_id: z.union([z.number(), z.string()]),
        cost_usd: z.number(),
        sessions: z.number(),
        tokens: tokensSchema.optional(),
        minutes: z.number().optional(),
      }),
    ),
  }),
  /**
   * The last sessions that are counted: runs in several work trees record in turn. `waits`: it is recorded again, however many others end before.
   * Left out by older programs.
   */
  counted: z
    .array(
      z.looseObject({
        session_id: z.number(),
        cost_usd: z.number(),
        ...used,
        tokens: tokensSchema.optional(),
        waits: z.literal(true).optional(),
      }),
    )
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
  /** Of the agent's turns. */
  readonly ms: number;
  /** Its item waits for an answer, with which it continues. */
  readonly waits?: true;
};
export type CostLimits = { readonly [name: string]: number | null };

/** What fits the schema, by what the text of the file says. */
const checked = new WeakMap<object, Costs>();

/** Fails with `state-unreadable` where the file does not fit its form: money is never guessed. */
export function readCosts(text: string | null, file: string): Result<Costs | null> {
  if (text === null) return ok(null);
  try {
    const says = costsIn(text, parse);
    const known = typeof says === 'object' && says !== null ? checked.get(says) : undefined;
    if (known !== undefined) return ok(known);
    const costs = costsSchema.parse(says);
    if (typeof says === 'object' && says !== null) checked.set(says, costs);
    return ok(costs);
  } catch (error) {
    return err(unfit(file, error));
  }
}

/** What a session or an item used, as the file has it. Money is rounded to a hundredth of a cent, time to a thousandth of a minute. */
type Used = { readonly tokens: TokenCounts; readonly cost_usd: number; readonly minutes: number };
const NO_TOKENS: TokenCounts = { input: 0, output: 0, cached: 0 };

const usedBy = ({ usage, ms }: SessionCost): Used => ({
  tokens: { input: usage.inputTokens, output: usage.outputTokens, cached: usage.cachedTokens },
  cost_usd: money(usage.costUsd ?? 0),
  minutes: time(ms / 60_000),
});

type Line = {
  readonly cost_usd: number;
  readonly tokens?: TokenCounts | undefined;
  readonly minutes?: number | undefined;
};
function plus(line: Line, more: Used, sign: 1 | -1 = 1): Used {
  const { tokens = NO_TOKENS, cost_usd, minutes = 0 } = line;
  return {
    tokens: {
      input: tokens.input + sign * more.tokens.input,
      output: tokens.output + sign * more.tokens.output,
      cached: tokens.cached + sign * more.tokens.cached,
    },
    cost_usd: money(cost_usd + sign * more.cost_usd),
    minutes: time(minutes + sign * more.minutes),
  };
}

/**
 * The costs with a session in them. One that is there already is counted with what it has used since: a question may interrupt it. Of an older
 * program it is known only that it is there.
 */
export function withSession(before: Costs | null, cost: SessionCost, budgets: CostLimits): Costs {
  const { session, item, started } = cost;
  const used = usedBy(cost);
  const costs = before ?? NOTHING;
  const { cumulative: old, current_session: current, counted = [] } = costs;
  const known = counted.find((one) => one.session_id === session);
  if (before !== null && known === undefined && current.session_id === session) return before;
  if (known !== undefined && known.tokens === undefined) return costs;
  const more = known === undefined ? used : plus(used, usedLine(known), -1);
  if (more.cost_usd < 0) return costs; // its turns cannot be read any more
  const isNew = known === undefined;
  const id = storedId(item);
  const had = old.by_feature.find((f) => String(f.feature_id) === item) ?? { feature_id: id, cost_usd: 0, sessions: 0 };
  const now = { ...had, ...plus(had, more), sessions: had.sessions + (isNew ? 1 : 0) };
  const isKnown = old.by_feature.some((f) => String(f.feature_id) === item);
  const sum = plus({ cost_usd: old.total_cost_usd, tokens: old.total_tokens, minutes: old.total_minutes }, more);
  const line = { session_id: session, ...used, ...(cost.waits === true ? { waits: true as const } : {}) };
  const others = counted.map((one) => {
    if (one.session_id !== session) return one;
    const { waits: _, ...rest } = one;
    return { ...rest, ...line };
  });
  return {
    ...costs,
    current_session:
      isNew || current.session_id === session ? { ...current, session_id: session, ...used, started } : current,
    cumulative: {
      ...old,
      total_sessions: old.total_sessions + (isNew ? 1 : 0),
      total_tokens: sum.tokens,
      total_cost_usd: sum.cost_usd,
      total_minutes: sum.minutes,
      by_feature: isKnown
        ? old.by_feature.map((f) => (String(f.feature_id) === item ? now : f))
        : [...old.by_feature, now],
    },
    counted: isNew ? lastOf([...counted, line]) : others,
    ...(isNew ? { budgets } : {}),
  };
}

const usedLine = ({ tokens = NO_TOKENS, cost_usd, minutes = 0 }: Line): Used => ({ tokens, cost_usd, minutes });

const MOST_COUNTED = 50;
/** One that would be recorded again after its line is gone would be counted twice. */
function lastOf(lines: NonNullable<Costs['counted']>): Costs['counted'] {
  const over = lines.filter(({ waits }) => waits !== true).slice(0, -MOST_COUNTED);
  return lines.filter((line) => !over.includes(line));
}
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
  const isThere = raised.some(
    (r) => r.scope === raise.scope && r.item === raise.item && r['from'] === raise.from && unitOf(r) === unitOf(raise),
  );
  return isThere ? costs : { ...costs, raised: [...raised, { ...raise }] };
}

const unitOf = ({ tokens, minutes }: Raise): Unit =>
  tokens !== undefined ? 'tokens' : minutes !== undefined ? 'minutes' : 'usd';

const HEAD =
  '# What the work has cost. US dollars are estimates: the provider’s own figures, or the price of the tokens. Minutes are those of agents at work.\n';
export function renderCosts(costs: Costs): string {
  const text = HEAD + textOf(costs);
  checked.set(costs, costs);
  keepCosts(text, costs);
  return text;
}

/** The library is slow, and the items are nearly all of the file: their lines are written without it, where they are plain. */
function textOf(costs: Costs): string {
  const write = (what: Costs): string => stringify(what, { aliasDuplicateObjects: false });
  const lines = itemLines(costs.cumulative.by_feature);
  if (lines === null || lines === '') return write(costs);
  const [before, after, ...more] = write({ ...costs, cumulative: { ...costs.cumulative, by_feature: [] } }).split(
    NO_ITEMS,
  );
  return after === undefined || more.length > 0 ? write(costs) : `${before}\n  by_feature:\n${lines}${after}`;
}

const NO_ITEMS = '\n  by_feature: []\n';

const money = (usd: number): number => Math.round(usd * 10_000) / 10_000;
const time = (minutes: number): number => Math.round(minutes * 1000) / 1000;
