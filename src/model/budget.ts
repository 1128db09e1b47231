// Budgets: so much money, so many tokens or minutes for a session, an item or the project, and what a user allowed on top of them.
// All units have one rule: a budget is a list of measures. Pure.
import { z } from 'zod';
import type { Config } from './config.ts';
import type { Params } from './failure.ts';
import type { Usage } from './usage.ts';

const SCOPES = ['session', 'feature', 'project'] as const;
export type BudgetScope = (typeof SCOPES)[number];
/** US dollars; input and output tokens without what is read from a cache; minutes of the agent's turns. */
export const UNITS = ['usd', 'tokens', 'minutes'] as const;
export type Unit = (typeof UNITS)[number];
/** So much of each unit. */
export type Amounts = { readonly [U in Unit]: number };
export const NO_AMOUNTS: Amounts = { usd: 0, tokens: 0, minutes: 0 };

type Limiting = Pick<Config, 'costs' | 'limits'>;
/** A limit of the configuration, by its key there. */
export type Measure = {
  readonly scope: BudgetScope;
  readonly unit: Unit;
  readonly key: string;
  readonly limit: number;
};
/** The minutes of a session are `session.timeout_minutes`, which ends the session and asks nothing. */
const MEASURES: readonly (Omit<Measure, 'limit'> & { readonly of: (config: Limiting) => number | null })[] = [
  { scope: 'session', unit: 'usd', key: 'costs.per_session_usd', of: ({ costs }) => costs.perSessionUsd },
  { scope: 'session', unit: 'tokens', key: 'limits.per_session_tokens', of: ({ limits }) => limits.perSessionTokens },
  { scope: 'feature', unit: 'usd', key: 'costs.per_feature_usd', of: ({ costs }) => costs.perFeatureUsd },
  { scope: 'feature', unit: 'tokens', key: 'limits.per_feature_tokens', of: ({ limits }) => limits.perFeatureTokens },
  {
    scope: 'feature',
    unit: 'minutes',
    key: 'limits.per_feature_minutes',
    of: ({ limits }) => limits.perFeatureMinutes,
  },
  { scope: 'project', unit: 'usd', key: 'costs.total_project_usd', of: ({ costs }) => costs.totalProjectUsd },
  { scope: 'project', unit: 'tokens', key: 'limits.total_tokens', of: ({ limits }) => limits.totalTokens },
  { scope: 'project', unit: 'minutes', key: 'limits.total_minutes', of: ({ limits }) => limits.totalMinutes },
];
/** Each budget may be used up once per session, since a raise adds the whole limit again. */
export const MOST_RAISES = MEASURES.length;

/** The budgets that are set. */
export const measuresOf = (config: Limiting): readonly Measure[] =>
  MEASURES.flatMap(({ of, ...measure }) => {
    const limit = of(config);
    return limit === null ? [] : [{ ...measure, limit }];
  });

/** As costs.yaml names them, for people: those in money always, the others where they are set. */
export const budgetsOf = (config: Limiting): { readonly [name: string]: number | null } =>
  Object.fromEntries(
    MEASURES.map(({ unit, key, of }) => [unit, key.replace(/^\w+\./, ''), of(config)] as const)
      .filter(([unit, , limit]) => unit === 'usd' || limit !== null)
      .map(([, name, limit]) => [name, limit]),
  );

/** What was used, in every unit. `ms`: of the agent's turns. */
export const amountsOf = (used: Pick<Usage, 'inputTokens' | 'outputTokens' | 'costUsd'>, ms: number): Amounts => ({
  usd: used.costUsd ?? 0,
  tokens: used.inputTokens + used.outputTokens,
  minutes: ms / MINUTE_MS,
});
const MINUTE_MS = 60_000;

export type Spent = { readonly [S in BudgetScope]: Amounts };

/** In costs.yaml, also where users add lines by hand. `usd` is there for programs that know no other unit. */
const raise = z.looseObject({
  scope: z.enum(SCOPES),
  item: z.string().nullable(),
  usd: z.number().default(0),
  tokens: z.number().optional(),
  minutes: z.number().optional(),
});
export const raisedShape = z.array(raise);
/** A user raised a budget. `item`: of which item; null: of the project. */
export type Raise = Readonly<z.output<typeof raise>>;

/** A budget that is used up. `base`: the configured limit, before a user raised it. */
const overspent = z.object({
  scope: z.enum(SCOPES),
  unit: z.enum(UNITS),
  spent: z.number(),
  limit: z.number(),
  base: z.number(),
});
/** As versions stored it that knew money alone. */
const overspentMoney = z
  .object({ scope: z.enum(SCOPES), spentUsd: z.number(), limitUsd: z.number(), baseUsd: z.number() })
  .transform(({ scope, spentUsd: spent, limitUsd: limit, baseUsd: base }) => ({
    scope,
    unit: 'usd' as const,
    spent,
    limit,
    base,
  }));
export const overspentSchema = z.union([overspent, overspentMoney]);
export type Overspent = z.output<typeof overspent>;

/** The limit with what a user allowed on top of it. */
export const raisedTo = ({ scope, unit, limit }: Measure, raised: readonly Raise[], item: string): number =>
  raised
    .filter((r) => r.scope === scope && (scope === 'project' || r.item === item))
    .reduce((sum, r) => sum + (r[unit] ?? 0), limit);

/** From this share of what is left a session hands over. */
export const WRAP_UP_SHARE = 0.9;

/** The first budget of which this share is used; null: there is none. */
export function exhausted(
  measures: readonly Measure[],
  raised: readonly Raise[],
  item: string,
  spent: Spent,
  share = 1,
): Overspent | null {
  for (const measure of measures) {
    const { scope, unit, limit: base } = measure;
    const limit = raisedTo(measure, raised, item);
    if (spent[scope][unit] >= limit * share) return { scope, unit, spent: spent[scope][unit], limit, base };
  }
  return null;
}

/** As much again, and what was spent beyond the limit. */
export const asMuchAgain = ({ scope, unit, spent, limit, base }: Overspent, item: string): Raise => ({
  scope,
  item: scope === 'project' ? null : item,
  usd: 0,
  [unit]: Math.max(0, spent - limit) + base,
});

/** What a session may still use; null: there is no budget in that unit. */
export const leftSchema = z.object({
  usd: z.number().nullable(),
  tokens: z.number().nullable(),
  minutes: z.number().nullable(),
});
export type Left = Readonly<z.output<typeof leftSchema>>;

/**
 * What a session may still use, by the tightest budget of each unit. `own`: what it used so far that `spent` does not include. `beside`: the
 * number of parallel sessions of the item, `lanes`: of lanes that have no share of the project's budget yet; `reserved`: what the others have. They
 * share what is left, because they do not see each other's spending.
 */
export function leftOf(
  measures: readonly Measure[],
  raised: readonly Raise[],
  item: string,
  spent: Spent,
  {
    own = NO_AMOUNTS,
    beside = 1,
    lanes = 1,
    reserved = NO_AMOUNTS,
  }: { readonly own?: Amounts; readonly beside?: number; readonly lanes?: number; readonly reserved?: Amounts } = {},
): Left {
  const shareOf = (scope: BudgetScope): number =>
    scope === 'session' ? 1 : scope === 'feature' ? beside : beside * lanes;
  const leftIn = (only: Unit): number | null => {
    const left = measures
      .filter(({ unit }) => unit === only)
      .map((one) => {
        const others = one.scope === 'project' ? reserved[only] : 0;
        return (raisedTo(one, raised, item) - spent[one.scope][only] - others) / shareOf(one.scope) - own[only];
      });
    return left.length === 0 ? null : Math.max(0, Math.min(...left));
  };
  return { usd: leftIn('usd'), tokens: leftIn('tokens'), minutes: leftIn('minutes') };
}

/** For a sentence: figures whose names say their unit (src/host/formatter.ts). */
export function figuresOf({ scope, unit, spent, limit, base }: Overspent): Params {
  const suffix = { usd: 'Usd', tokens: 'Tokens', minutes: 'Ms' }[unit];
  const shown = (amount: number): number => (unit === 'minutes' ? Math.round(amount * MINUTE_MS) : amount);
  return {
    scope: `budget-${scope}`,
    [`spent${suffix}`]: shown(spent),
    [`limit${suffix}`]: shown(limit),
    [`base${suffix}`]: shown(base),
  };
}

/** The event of a ceiling that is reached. It stops nothing: with a subscription tokens cost nothing more. */
export const CEILING_REACHED = 'budget_ceiling_reached';

/** Input and output tokens of all sessions together that are worth an event; null: none. The environment wins. */
export function ceilingOf(
  { budget }: Pick<Config, 'budget'>,
  env: { readonly [name: string]: string | undefined },
): number | null {
  const said = Number(env['BUDGET_CEILING_TOKENS'] ?? '');
  return Number.isSafeInteger(said) && said > 0 ? said : budget.ceilingTokens;
}
