// The rules that one session is watched by: from the configuration, and from what has been spent before it.
import { cutTurns } from '../agents/host/turn-results.ts';
import type { MonitorRules } from '../agents/monitor/rules.ts';
import { readText } from '../host/files.ts';
import type { SessionAsk, TurnOutcome } from '../model/action.ts';
import { amountsOf, leftOf, measuresOf, NO_AMOUNTS, type Amounts } from '../model/budget.ts';
import { bookedOn } from '../model/item.ts';
import { priced, priceOf, type Price } from '../model/prices.ts';
import { ok, type Result } from '../model/result.ts';
import { spentIn } from '../model/spent.ts';
import { lostTurn } from '../model/turn.ts';
import { keptPath } from '../repos/records.ts';
import { modelOf, type AgentSlot } from './agent.ts';
import type { RunContext, RunRepository, RunSettings } from './run-context.ts';
import { readCosts } from './records/costs.ts';

/** What a million tokens of this session's model cost; null: unknown. */
export const priceFor = ({ config }: Pick<RunContext, 'config'>, part: AgentSlot): Price | null =>
  priceOf(modelOf(config, part), config.costs.prices);

/** Fails where costs.yaml cannot be read: money is never guessed. `folder`: of the session's turns. */
export function rulesFor(context: RunRepository & RunSettings, ask: SessionAsk, folder: string): Result<MonitorRules> {
  const { config } = context;
  const file = keptPath(context, 'costs.yaml');
  const text = readText(file);
  if (!text.ok) return text;
  const costs = readCosts(text.value, file);
  if (!costs.ok) return costs;
  const price = priceFor(context, ask);
  // Turns that were cut and are played again have cost what they cost: the monitor knows only of those that ended, and
  // costs.yaml of this session only when it is over.
  const own = cutTurns(folder)
    .map(({ usage, ms }) => amountsOf(priced(usage, price), ms))
    .reduce(add, NO_AMOUNTS);
  const item = bookedOn(ask);
  // The use of this session counts in the monitor.
  const left = leftOf(measuresOf(config), costs.value?.raised ?? [], item, spentIn(costs.value, item, 0), {
    own,
    beside: ask.beside?.length ?? 1,
    lanes: context.lane > 0 ? config.lanes : 1,
  });
  const { context: size, progress, session, testing, paths } = config;
  return ok({
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
  });
}

/**
 * How a turn ends that would begin with nothing left of a budget: an item has several sessions, and one before it used the rest. No agent is
 * started. null: it begins.
 */
export function endedByBudget({ turn }: Pick<SessionAsk, 'turn'>, { left }: MonitorRules): TurnOutcome | null {
  const isUsedUp = [left.usd, left.tokens, left.minutes].includes(0);
  return turn === 1 && isUsedUp ? { ...lostTurn(null), end: 'budget-limit' } : null;
}

const add = (a: Amounts, b: Amounts): Amounts => ({
  usd: a.usd + b.usd,
  tokens: a.tokens + b.tokens,
  minutes: a.minutes + b.minutes,
});
