// The rules that one session is watched by: from the configuration, and from what has been spent before it.
import { cutUsages } from '../agents/host/turn-results.ts';
import type { MonitorRules } from '../agents/monitor/rules.ts';
import { readText } from '../host/files.ts';
import type { SessionAsk } from '../model/action.ts';
import { leftUsd, limitsFor } from '../model/budget.ts';
import { bookedOn } from '../model/item.ts';
import { priced, priceOf, type Price } from '../model/prices.ts';
import { ok, type Result } from '../model/result.ts';
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
  const { cumulative, raised = [] } = costs.value ?? {};
  // Turns that were cut and are played again have cost what they cost: the monitor knows only of those that ended, and
  // costs.yaml of this session only when it is over.
  const cut = cutUsages(folder).reduce((sum, usage) => sum + (priced(usage, price).costUsd ?? 0), 0);
  const item = bookedOn(ask);
  const spent = {
    session: 0,
    feature: cumulative?.by_feature.find((f) => String(f.feature_id) === item)?.cost_usd ?? 0,
    project: cumulative?.total_cost_usd ?? 0,
  };
  const left = leftUsd(limitsFor(config.costs, raised, item), spent, {
    own: cut,
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
    budgetUsd: left,
    price,
    tests: [testing.full, testing.feature?.replace(/\s*\{test_file\}.*$/s, '') ?? null].filter((one) => one !== null),
    notes: paths.progress,
  });
}
