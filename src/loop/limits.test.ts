// What a session may still cost, after turns without an outcome.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configOf } from '../../test/support/config.ts';
import { quickIo } from '../../test/support/quick-io.ts';
import { folders } from '../../test/support/signals.ts';
import { keepCutUsage } from '../agents/host/turn-results.ts';
import type { Config } from '../model/config.ts';
import type { SessionAsk } from '../model/action.ts';
import type { RunContext } from './run-context.ts';
import { rulesFor, sharedRules } from './limits.ts';
import { openShares } from './shares.ts';
import { renderCosts, withSession } from './records/costs.ts';

const folder = folders('harness-limits-');
const ASK = { role: 'coding', item: '1', session: 2 } as SessionAsk;
const FREE = { session: 1, item: '1', started: '', ms: 30_000 };
const contextOf = (privateDir: string, costs: Partial<Config['costs']>, more: Partial<RunContext> = {}): RunContext =>
  ({ privateDir, workspaceDir: privateDir, config: configOf({ costs }), ...more }) as unknown as RunContext;
const usage = (costUsd: number) => ({
  inputTokens: 1,
  outputTokens: 1,
  cachedTokens: 0,
  costUsd,
  source: 'reported' as const,
});

test('what an agent makes of the copy of costs.yaml in `.harness/` rules no session', () => {
  const [stateDir, privateDir] = [folder(), folder()];
  const io = quickIo();
  const before = withSession(null, { ...FREE, usage: usage(0.25) }, {});
  io.replace(join(privateDir, 'costs.yaml'), renderCosts(before));
  const context = contextOf(privateDir, { totalProjectUsd: 2 }, { stateDir });
  for (const text of ['nothing: was spent\n', renderCosts(withSession(null, { ...FREE, usage: usage(0) }, {}))]) {
    io.replace(join(stateDir, 'costs.yaml'), text);
    expect(rulesFor(context, ASK, folder())).toMatchObject({ value: { left: { usd: 1.75 } } });
  }
});

test('cleanup sessions share the budget of one item, though they have none', () => {
  const privateDir = folder();
  const before = withSession(null, { ...FREE, item: 'cleanup', usage: usage(0.25) }, {});
  quickIo().replace(join(privateDir, 'costs.yaml'), renderCosts(before));
  const context = contextOf(privateDir, { perFeatureUsd: 2 });
  const ask = { role: 'cleanup', item: null, session: 2 } as SessionAsk;
  expect(rulesFor(context, ask, folder())).toMatchObject({ value: { left: { usd: 1.75 } } });
});

test.each([
  ['perSessionUsd', 1.5],
  ['perFeatureUsd', 0.375],
  ['totalProjectUsd', 0.375],
] as const)('who works side by side with another shares what is left: %s', (budget, usd) => {
  const privateDir = folder();
  const turns = join(privateDir, 'turns');
  mkdirSync(turns);
  const io = quickIo();
  const before = withSession(null, { ...FREE, usage: usage(0.25) }, {});
  io.replace(join(privateDir, 'costs.yaml'), renderCosts(before));
  keepCutUsage(io, turns, 1, { resume: null, usage: usage(0.5), ms: 1 });
  const context = contextOf(privateDir, { [budget]: 2 });
  expect(rulesFor(context, { ...ASK, beside: [1, 2] }, turns)).toMatchObject({ value: { left: { usd } } });
});

test.each(['perSessionUsd', 'perFeatureUsd', 'totalProjectUsd'] as const)(
  'a turn that was cut has used up of every budget what it cost: %s',
  (budget) => {
    const privateDir = folder();
    const turns = join(privateDir, 'turns');
    mkdirSync(turns);
    const io = quickIo();
    const before = withSession(null, { ...FREE, usage: usage(0.25) }, {});
    io.replace(join(privateDir, 'costs.yaml'), renderCosts(before));
    keepCutUsage(io, turns, 1, { resume: null, usage: usage(0.5), ms: 1 });
    const context = contextOf(privateDir, { [budget]: 2 });
    expect(rulesFor(context, ASK, turns)).toMatchObject({
      value: { left: { usd: budget === 'perSessionUsd' ? 1.5 : 1.25 } },
    });
  },
);

test.each([
  ['perFeatureUsd', 1.75],
  ['totalProjectUsd', 0.4375],
] as const)('the items of four lanes share what is left of the project, not of each item: %s', (budget, usd) => {
  const privateDir = folder();
  const before = withSession(null, { ...FREE, usage: usage(0.25) }, {});
  quickIo().replace(join(privateDir, 'costs.yaml'), renderCosts(before));
  const context = { ...contextOf(privateDir, { [budget]: 2 }), lane: 3 };
  const several = { ...context, config: { ...context.config, lanes: 4 } };
  expect(rulesFor(several, ASK, folder())).toMatchObject({ value: { left: { usd } } });
});

test('what other lanes have a share of is left to no other; with too little left a session waits for the end of another', async () => {
  const privateDir = folder();
  quickIo().replace(join(privateDir, 'costs.yaml'), renderCosts(withSession(null, { ...FREE, usage: usage(0) }, {})));
  const shares = openShares();
  const base = contextOf(privateDir, { totalProjectUsd: 4 });
  const inLane = (lane: number) =>
    ({ ...base, lane, lanes: { shares }, config: { ...base.config, lanes: 4 } }) as unknown as typeof base;
  const take = (lane: number, item: string) =>
    sharedRules(inLane(lane), { ...ASK, item }, folder(), new AbortController().signal);
  for (const lane of [1, 2, 3, 4]) expect(await take(lane, `i${lane}`)).toMatchObject({ value: { left: { usd: 1 } } });
  // The first has used its share, and it is recorded.
  quickIo().replace(join(privateDir, 'costs.yaml'), renderCosts(withSession(null, { ...FREE, usage: usage(1) }, {})));
  shares.release(1);
  const next = take(1, 'i5');
  shares.close(2, { usd: 0.25, tokens: 0, minutes: 0 });
  // What is left of four, without the one that is spent, what the second used and what two others have; half of it, for two lanes are free.
  expect(await next).toMatchObject({ value: { left: { usd: 0.375 } } });
});

test('tokens and minutes are left as money is: without what other sessions and cut turns have used', () => {
  const privateDir = folder();
  const turns = join(privateDir, 'turns');
  mkdirSync(turns);
  const io = quickIo();
  io.replace(join(privateDir, 'costs.yaml'), renderCosts(withSession(null, { ...FREE, usage: usage(0) }, {})));
  keepCutUsage(io, turns, 1, { resume: null, usage: usage(0), ms: 60_000 });
  const { config } = contextOf(privateDir, {});
  const limits = { ...config.limits, perSessionTokens: 50, totalTokens: 10, perFeatureMinutes: 10, totalMinutes: 5 };
  const context = { ...contextOf(privateDir, {}), config: { ...config, limits } };
  expect(rulesFor(context, ASK, turns)).toMatchObject({ value: { left: { usd: null, tokens: 6, minutes: 3.5 } } });
});
