// costs.yaml: what is counted, how often, and what a damaged file says.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_USAGE } from '../../model/usage.ts';
import { readCosts, renderCosts, withRaise, withSession, type Costs } from './costs.ts';

const session = fc.record({
  item: fc.constantFrom('1', '2', '15', '0001', '0015', 'a'),
  ms: fc.nat(1e7),
  usage: fc.record({
    inputTokens: fc.nat(1e6),
    outputTokens: fc.nat(1e5),
    cachedTokens: fc.nat(1e6),
    costUsd: fc.option(fc.double({ min: 0, max: 50, noNaN: true })),
    source: fc.constant('reported' as const),
  }),
});

test('sessions add up, also when each is recorded twice and read back between', () => {
  fc.assert(
    fc.property(fc.array(session, { minLength: 1, maxLength: 20 }), (all) => {
      let costs: Costs | null = null;
      for (const [n, s] of all.entries())
        for (let again = 0; again < 2; again += 1) {
          costs = withSession(costs, { session: n + 1, started: 't', ...s }, { total_project_usd: 200 });
          const back = readCosts(renderCosts(costs), 'costs.yaml');
          expect(back).toEqual({ ok: true, value: costs });
        }
      const ids = costs?.cumulative.by_feature.map(({ feature_id: id }) => String(id)) ?? [];
      expect(ids.toSorted()).toEqual([...new Set(all.map(({ item }) => item))].toSorted());
      expect(costs?.cumulative.total_sessions).toBe(all.length);
      expect(costs?.cumulative.total_tokens.input).toBe(all.reduce((sum, s) => sum + s.usage.inputTokens, 0));
      expect(costs?.cumulative.by_feature.reduce((sum, f) => sum + f.sessions, 0)).toBe(all.length);
    }),
  );
});

test('a session that continues after it was counted is counted with what it has used since, once', () => {
  const used = (inputTokens: number, costUsd: number) => ({ ...NO_USAGE, inputTokens, costUsd });
  const at = (session: number, usage: ReturnType<typeof used>) => ({
    session,
    item: '1',
    started: 't',
    usage,
    ms: usage.inputTokens * 60_000,
  });
  let costs = withSession(null, at(1, used(10, 1)), {});
  costs = withSession(costs, at(2, used(5, 0.5)), {});
  for (let again = 0; again < 2; again += 1) costs = withSession(costs, at(1, used(30, 3)), {});
  expect(costs.cumulative).toMatchObject({
    total_sessions: 2,
    total_cost_usd: 3.5,
    total_tokens: { input: 35 },
    total_minutes: 35,
    by_feature: [{ feature_id: 1, cost_usd: 3.5, sessions: 2, tokens: { input: 35 }, minutes: 35 }],
  });
});

test('a session whose item waits is counted once, however many others end before it continues', () => {
  const used = (inputTokens: number, costUsd: number) => ({ ...NO_USAGE, inputTokens, costUsd });
  const at = (session: number, costUsd: number) => ({
    session,
    item: '1',
    started: 't',
    usage: used(10, costUsd),
    ms: 0,
  });
  let costs = withSession(null, { ...at(1, 1), waits: true }, {});
  for (let n = 2; n <= 120; n += 1) costs = withSession(costs, at(n, 0.5), {});
  expect(costs.counted).toHaveLength(51);
  for (let again = 0; again < 2; again += 1) costs = withSession(costs, at(1, 3), {});
  expect(costs.cumulative).toMatchObject({ total_sessions: 120, total_cost_usd: 3 + 119 * 0.5 });
  expect(readCosts(renderCosts(costs), 'costs.yaml')).toEqual({ ok: true, value: costs });
  // It has ended: its line goes as the others do.
  for (let n = 121; n <= 171; n += 1) costs = withSession(costs, at(n, 0.5), {});
  expect(costs.counted?.map(({ session_id }) => session_id)).not.toContain(1);
  expect(costs.counted).toHaveLength(50);
});

test('a file that is no cost file is refused with its name', () => {
  for (const text of ['- 1', 'cumulative: 3', '{', 'current_session: {session_id: x}'])
    expect(readCosts(text, 'costs.yaml')).toMatchObject({
      ok: false,
      failure: { reason: 'state-unreadable', at: { file: 'costs.yaml' } },
    });
  expect(readCosts(null, 'costs.yaml')).toEqual({ ok: true, value: null });
  expect(
    withSession(null, { session: 1, item: 'F-1', started: 't', usage: NO_USAGE, ms: 0 }, {}).cumulative.by_feature[0]
      ?.feature_id,
  ).toBe('F-1');
});

test('a record of a program that limited only money is read, and counts tokens of items and minutes from then on', () => {
  const old = readCosts(
    `current_session: { session_id: 4, started: t, tokens: { input: 1, output: 1 }, cost_usd: 1 }
cumulative:
  total_sessions: 4
  total_tokens: { input: 9, output: 1 }
  total_cost_usd: 4
  by_feature: [{ feature_id: 1, cost_usd: 4, sessions: 4 }]
budgets: {}
raised: [{ scope: feature, item: "1", usd: 2 }]
`,
    'costs.yaml',
  );
  const before = old.ok ? old.value : null;
  const more = { session: 5, item: '1', started: 't', usage: { ...NO_USAGE, inputTokens: 5 }, ms: 30_000 };
  expect(withSession(before, more, {}).cumulative).toMatchObject({
    total_tokens: { input: 14 },
    total_minutes: 0.5,
    by_feature: [{ cost_usd: 4, sessions: 5, tokens: { input: 5 }, minutes: 0.5 }],
  });
});

test('raises of different units from the same limit are different raises', () => {
  const about = { scope: 'feature', item: '1', from: 10, by: 'Ada', at: 't' } as const;
  let costs = withRaise(null, { ...about, usd: 10 });
  for (let again = 0; again < 2; again += 1) costs = withRaise(costs, { ...about, usd: 0, tokens: 10 });
  costs = withRaise(costs, { ...about, usd: 0, minutes: 10 });
  expect(costs.raised).toHaveLength(3);
});
