// The text of costs.yaml without a YAML library: what is read of it is what YAML says, whatever the text.
import * as fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { expect, test } from 'vitest';
import { costsIn, itemLines, readPlainCosts } from './costs-text.ts';

const id = fc.oneof(
  fc.nat(99_999),
  fc.constantFrom(
    'F-001',
    '0015',
    '1e5',
    'true',
    'No',
    'null',
    '~',
    'a b',
    'x: y',
    '- a',
    '#1',
    "it's",
    '',
    'ä',
    'a\nb',
  ),
  fc.string({ maxLength: 60 }),
);
const amount = fc.oneof(
  fc.nat(1e9),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
  fc.constantFrom(1e-7, 1e21, -0, -1.5),
);
const tokens = fc.record({ input: amount, output: amount, cached: amount }, { requiredKeys: ['input'] });
const item = fc.record(
  { feature_id: id, cost_usd: amount, sessions: fc.nat(99), tokens, minutes: amount, note: fc.string() },
  { requiredKeys: ['feature_id', 'cost_usd', 'sessions'] },
);
const costs = fc.record({
  current_session: fc.record({
    session_id: fc.nat(),
    started: fc.constantFrom('t', '2025-01-01T00:00:00.000Z'),
    tokens,
  }),
  cumulative: fc.record({ total_cost_usd: amount, by_feature: fc.array(item, { maxLength: 4 }) }),
  budgets: fc.dictionary(fc.constantFrom('a', 'total_project_usd', 'ä'), fc.option(amount)),
});

test('what is read of a text is what YAML says', () => {
  fc.assert(fc.property(costs, (all) => isAsYamlSays(stringify(all))));
});

test('the same of a text that a person or a fault has changed', () => {
  const change = fc.record({
    at: fc.nat(400),
    cut: fc.nat(12),
    put: fc.constantFrom('', ' ', '  ', '- ', ':', '\n', '#', '"', '{', 'x', '\t', '0'),
  });
  fc.assert(
    fc.property(costs, fc.array(change, { minLength: 1, maxLength: 3 }), (all, changes) => {
      const text = changes.reduce(
        (whole, { at, cut, put }) => whole.slice(0, at) + put + whole.slice(at + cut),
        stringify(all),
      );
      isAsYamlSays(text);
    }),
    { numRuns: 3_000 },
  );
});

test('lines of items say what the library writes, where they are written at all', () => {
  const written = (items: Parameters<typeof itemLines>[0]): string => `cumulative:\n  by_feature:\n${itemLines(items)}`;
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 4 }), (items) => {
      if (itemLines(items) === null) return;
      expect(parse(written(items))).toEqual(parse(stringify({ cumulative: { by_feature: items } })));
    }),
  );
  const usual = [1, 'F-001', '0015'].map((feature_id) => ({ feature_id, cost_usd: 0.12, tokens: { input: 1 } }));
  expect(written(usual)).toBe(stringify({ cumulative: { by_feature: usual } }));
});

test('the library is not asked about ten thousand plain items, nor twice about anything', () => {
  const items = Array.from({ length: 10_000 }, (_, n) => ({
    feature_id: n,
    cost_usd: 0.12,
    sessions: 1,
    minutes: 0.5,
  }));
  const text = `# A comment.\ncumulative:\n  by_feature:\n${itemLines(items) ?? ''}`;
  let asked = 0;
  const ask = (other: string): unknown => {
    asked += 1;
    return parse(other);
  };
  expect(costsIn(text, ask)).toEqual({ cumulative: { by_feature: items } });
  expect(asked).toBe(0);
  for (let n = 0; n < 2; n += 1) expect(costsIn('a: [1]', ask)).toEqual({ a: [1] });
  expect(asked).toBe(1);
});

function isAsYamlSays(text: string): void {
  const plain = readPlainCosts(text);
  if (plain !== null) expect(plain).toEqual(parse(text));
}
