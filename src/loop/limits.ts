// The rules that one session is watched by: from the configuration, and from what has been spent before it.
import { cutTurns } from '../agents/host/turn-results.ts';
import type { MonitorRules } from '../agents/monitor/rules.ts';
import { readText } from '../host/files.ts';
import type { SessionAsk, TurnOutcome } from '../model/action.ts';
import { amountsOf, leftOf, measuresOf, NO_AMOUNTS, UNITS, type Amounts, type Left } from '../model/budget.ts';
import { bookedOn, type ItemId } from '../model/item.ts';
import { priced, priceOf, type Price } from '../model/prices.ts';
import { ok, type Result } from '../model/result.ts';
import { spentIn } from '../model/spent.ts';
import { lostTurn } from '../model/turn.ts';
import { keptPath } from '../repos/records.ts';
import { modelOf, type AgentSlot } from './agent.ts';
import type { RunContext, RunRepository, RunSettings, RunStores } from './run-context.ts';
import { readCosts, type Costs } from './records/costs.ts';
import { addAmounts } from './shares.ts';

/** What a million tokens of this session's model cost; null: unknown. */
export const priceFor = ({ config }: Pick<RunContext, 'config'>, part: AgentSlot): Price | null =>
  priceOf(modelOf(config, part), config.costs.prices);

type Context = RunRepository & RunSettings & Pick<RunStores, 'lanes'>;

/** From this part of an equal share on a session is worth to be begun. */
const LEAST_PART = 0.1;

/**
 * With several lanes a session has its share of the project's budget from now on. Where the others have nearly all that is left, or one of them has
 * a session booked on the same, it begins when one of them has ended. null: stopped.
 */
export async function sharedRules(
  context: Context,
  ask: SessionAsk,
  folder: string,
  signal: AbortSignal,
): Promise<Result<MonitorRules> | null> {
  const { lanes, lane } = context;
  if (lanes === null || lane === 0) return rulesFor(context, ask, folder);
  for (;;) {
    const read = spendingFor(context, ask, folder);
    if (!read.ok) return read;
    const { item, own } = read.value;
    const others = lanes.shares.others(lane);
    const left = leftFor(context, ask, read.value, others);
    const equal = leftFor(context, ask, read.value, NO_OTHERS);
    if (!others.items.includes(item) && (others.open === 0 || isEnough(left, equal))) {
      const share = { usd: left.usd ?? 0, tokens: left.tokens ?? 0, minutes: left.minutes ?? 0 };
      lanes.shares.take(lane, { item, amounts: addAmounts(share, own), isOpen: true });
      return ok(rulesWith(context, read.value, left));
    }
    await lanes.shares.released(signal);
    if (signal.aborted) return null;
  }
}

const isEnough = (left: Left, equal: Left): boolean =>
  UNITS.every((unit) => (left[unit] ?? Infinity) >= (equal[unit] ?? 0) * LEAST_PART);

/** What was spent before a session, and on what it is booked. */
type Spending = {
  readonly item: ItemId;
  readonly price: Price | null;
  /**
   * Of turns that were cut and are played again: they have cost what they cost, the monitor knows only of those that ended, and costs.yaml of this
   * session only when it is over.
   */
  readonly own: Amounts;
  readonly costs: Costs | null;
};

/** Fails where costs.yaml cannot be read: money is never guessed. `folder`: of the session's turns. */
function spendingFor(context: Context, ask: SessionAsk, folder: string): Result<Spending> {
  const file = keptPath(context, 'costs.yaml');
  const text = readText(file);
  if (!text.ok) return text;
  const costs = readCosts(text.value, file);
  if (!costs.ok) return costs;
  const price = priceFor(context, ask);
  const own = cutTurns(folder)
    .map(({ usage, ms }) => amountsOf(priced(usage, price), ms))
    .reduce(addAmounts, NO_AMOUNTS);
  return ok({ item: bookedOn(ask), price, own, costs: costs.value });
}

type Others = { readonly amounts: Amounts; readonly open: number };
const NO_OTHERS: Others = { amounts: NO_AMOUNTS, open: 0 };

/** The use of this session counts in the monitor. */
const leftFor = (
  { config, lane }: Context,
  { beside }: SessionAsk,
  { item, own, costs }: Spending,
  others: Others,
): Left =>
  leftOf(measuresOf(config), costs?.raised ?? [], item, spentIn(costs, item, 0), {
    own,
    beside: beside?.length ?? 1,
    lanes: lane > 0 ? Math.max(1, config.lanes - others.open) : 1,
    reserved: others.amounts,
  });

/** Fails as `spendingFor`. */
export function rulesFor(context: Context, ask: SessionAsk, folder: string): Result<MonitorRules> {
  const read = spendingFor(context, ask, folder);
  if (!read.ok) return read;
  const others = context.lanes?.shares.others(context.lane) ?? NO_OTHERS;
  return ok(rulesWith(context, read.value, leftFor(context, ask, read.value, others)));
}

function rulesWith({ config }: Context, { price }: Spending, left: Left): MonitorRules {
  const { context: size, progress, session, testing, paths } = config;
  return {
    windowTokens: size.windowTokens,
    warnShare: size.warnThreshold,
    forceShare: size.forceThreshold,
    checkTokens: progress.checkIntervalTokens,
    stuckChecks: progress.forceStopAfterStuckChecks,
    sameErrors: progress.maxRepeatedErrors,
    stuckWords: progress.stuckWarning,
    warnMs: session.timeoutWarningMinutes * 60_000,
    wallMs: session.timeoutMinutes * 60_000,
    quotaShare: config.quota.wrapUpAt,
    left,
    price,
    tests: [testing.full, testing.feature?.replace(/\s*\{test_file\}.*$/s, '') ?? null].filter((one) => one !== null),
    notes: paths.progress,
  };
}

/**
 * How a turn ends that would begin with nothing left of a budget: an item has several sessions, and one before it used the rest. No agent is
 * started. null: it begins.
 */
export function endedByBudget({ turn }: Pick<SessionAsk, 'turn'>, { left }: MonitorRules): TurnOutcome | null {
  const isUsedUp = [left.usd, left.tokens, left.minutes].includes(0);
  return turn === 1 && isUsedUp ? { ...lostTurn(null), end: 'budget-limit' } : null;
}
