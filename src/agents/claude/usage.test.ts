import { array, assert, nat, property, tuple } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SdkMessage } from './sdk.ts';
import { NO_TOTALS, shareOf, totalsOf, type Totals } from './usage.ts';

const result = (
  turn: [number, number, number, number],
  total: [number, number, number, number],
  cost: number,
): SdkMessage => ({
  type: 'result',
  usage: {
    input_tokens: turn[0],
    cache_creation_input_tokens: turn[1],
    cache_read_input_tokens: turn[2],
    output_tokens: turn[3],
  },
  modelUsage: {
    some: {
      inputTokens: total[0],
      cacheCreationInputTokens: total[1],
      cacheReadInputTokens: total[2],
      outputTokens: total[3],
    },
  },
  total_cost_usd: cost,
});
const one = [100, 30, 2000, 50] as [number, number, number, number];
const two = [200, 60, 4000, 100] as [number, number, number, number];

describe('the share of one turn', () => {
  test('of a first turn is everything', () => {
    expect(shareOf(result(one, one, 0.00175), { known: NO_TOTALS })).toEqual({
      inputTokens: 130,
      outputTokens: 50,
      cachedTokens: 2000,
      costUsd: 0.00175,
      source: 'reported',
    });
  });

  test('of a second turn leaves out the cost of the first one', () => {
    const first = result(one, one, 0.00175);
    expect(shareOf(result(one, two, 0.0035), { known: totalsOf(first) })).toMatchObject({
      inputTokens: 130,
      costUsd: 0.00175,
    });
  });

  test('of a resumed session leaves out its earlier totals', () => {
    const kept = totalsOf(result(one, one, 0.00175));
    expect(shareOf(result(one, two, 0.0035), { either: [NO_TOTALS, kept] })).toMatchObject({
      inputTokens: 130,
      costUsd: 0.00175,
      source: 'reported',
    });
  });

  test('of a resumed session whose totals were lost in a crash is everything', () => {
    const kept = totalsOf(result(two, two, 0.0035));
    expect(shareOf(result(one, one, 0.00175), { either: [NO_TOTALS, kept] })).toMatchObject({ costUsd: 0.00175 });
  });

  test('has no cost where no known total explains it', () => {
    expect(shareOf(result(one, two, 0.0035), { either: [NO_TOTALS] })).toEqual({
      inputTokens: 130,
      outputTokens: 50,
      cachedTokens: 2000,
      costUsd: null,
      source: 'partial',
    });
  });

  test('is what the turn reports where the total went down', () => {
    const known: Totals = { input: 9999, output: 1, cached: 1, costUsd: 1 };
    expect(shareOf(result(one, one, 0.00175), { known })).toMatchObject({ inputTokens: 130, costUsd: null });
  });

  test('summed over the turns of a session is the total, whatever they consumed', () => {
    const turns = array(tuple(nat(1e6), nat(1e6), nat(1e6), nat(1e6)), {
      minLength: 1,
      maxLength: 8,
    });
    assert(
      property(turns, (all) => {
        let total: [number, number, number, number] = [0, 0, 0, 0];
        let before = NO_TOTALS;
        let inputs = 0;
        let cost = 0;
        for (const turn of all) {
          total = [total[0] + turn[0], total[1] + turn[1], total[2] + turn[2], total[3] + turn[3]];
          const said = result(turn, total, (total[0] + total[3]) / 1e6);
          const share = shareOf(said, { known: before });
          inputs += share.inputTokens;
          cost += share.costUsd ?? Number.NaN;
          before = totalsOf(said);
        }
        expect(inputs).toBe(total[0] + total[1]);
        expect(cost).toBeCloseTo((total[0] + total[3]) / 1e6, 6);
      }),
    );
  });
});
