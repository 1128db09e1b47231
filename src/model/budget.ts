// Budgets for a session, an item and the project, and what a user allowed on top of them. Pure; US dollars.
import { z } from 'zod';

const SCOPES = ['session', 'feature', 'project'] as const;
export type BudgetScope = (typeof SCOPES)[number];
export type Budgets = {
  readonly perSessionUsd: number | null;
  readonly perFeatureUsd: number | null;
  readonly totalProjectUsd: number | null;
};
/** A user raised a budget. `item`: of which item; null: of the project. */
export type Raise = { readonly scope: BudgetScope; readonly item: string | null; readonly usd: number };
export type SpentUsd = { readonly [S in BudgetScope]: number };
export type Exhausted = { readonly scope: BudgetScope; readonly spentUsd: number; readonly limitUsd: number };
/** A budget that is used up. `baseUsd`: the configured limit, before a user raised it. */
export const overspentSchema = z.object({
  scope: z.enum(SCOPES),
  spentUsd: z.number(),
  limitUsd: z.number(),
  baseUsd: z.number(),
});
export type Overspent = z.output<typeof overspentSchema>;

/** As in costs.yaml; users may add lines by hand. */
export const raisedShape = z.array(
  z.looseObject({ scope: z.enum(SCOPES), item: z.string().nullable(), usd: z.number() }),
);

type Limits = { readonly [S in BudgetScope]: number | null };

export function limitsFor(budgets: Budgets, raised: readonly Raise[], item: string): Limits {
  const more = (scope: BudgetScope): number =>
    raised
      .filter((r) => r.scope === scope && (scope === 'project' || r.item === item))
      .reduce((sum, { usd }) => sum + usd, 0);
  const raisedBy = (limit: number | null, scope: BudgetScope): number | null =>
    limit === null ? null : limit + more(scope);
  return {
    session: raisedBy(budgets.perSessionUsd, 'session'),
    feature: raisedBy(budgets.perFeatureUsd, 'feature'),
    project: raisedBy(budgets.totalProjectUsd, 'project'),
  };
}

/** The first budget that is used up; null: none is. */
export function exhausted(limits: Limits, spent: SpentUsd): Exhausted | null {
  for (const scope of SCOPES) {
    const limitUsd = limits[scope];
    if (limitUsd !== null && spent[scope] >= limitUsd) return { scope, spentUsd: spent[scope], limitUsd };
  }
  return null;
}

/**
 * What a session may still cost, by the tightest budget; null: there is no budget. `own`: its cost so far that `spent` does not include.
 * `beside`: the number of parallel sessions of the item, `lanes`: of items at work beside it. They share what is left, because they do not see
 * each other's spending.
 */
export function leftUsd(
  limits: Limits,
  spent: SpentUsd,
  { own = 0, beside = 1, lanes = 1 }: { readonly own?: number; readonly beside?: number; readonly lanes?: number } = {},
): number | null {
  const shareOf = (scope: BudgetScope): number =>
    scope === 'session' ? 1 : scope === 'feature' ? beside : beside * lanes;
  const left = SCOPES.flatMap((scope) =>
    limits[scope] === null ? [] : [(limits[scope] - spent[scope]) / shareOf(scope) - own],
  );
  return left.length === 0 ? null : Math.max(0, Math.min(...left));
}
