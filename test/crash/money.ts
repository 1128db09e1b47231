// What a turn used that was cut is money spent: a run that was disturbed may have spent more than another, by no more than each
// cut can have cost. All else about money is the same.
import { isDeepStrictEqual } from 'node:util';
import type { EndState } from './end-state.ts';

/** What any turn of the scenarios says that it used. */
const USED_USD = 0.01;
const ROUNDING = 1e-9;
const PAID = new Set(['input', 'output', 'cached', 'cost_usd', 'total_cost_usd']);

type Spent = { readonly cumulative: { readonly total_cost_usd: number } } | null;
const spentIn = ({ costs }: EndState): number => (costs as Spent)?.cumulative.total_cost_usd ?? 0;
const withoutMoney = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (key, one: unknown) => (PAID.has(key) && typeof one === 'number' ? 0 : one)),
  );

/** Whether `found` is what `end` is, for the part `name` of it, where so many turns were cut. */
export function isSame(name: string, found: EndState, end: EndState, cuts: number): boolean {
  if (cuts === 0 || (name !== 'costs' && name !== 'sessions')) return isDeepStrictEqual(found[name], end[name]);
  const more = spentIn(found) - spentIn(end);
  const isAlike = isDeepStrictEqual(withoutMoney(found[name]), withoutMoney(end[name]));
  return isAlike && more > -ROUNDING && more < cuts * USED_USD + ROUNDING;
}
