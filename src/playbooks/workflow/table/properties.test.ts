// For any events in any order, with crashes anywhere: the invariants I1 to I4, the limits and the hard gates hold. Over random walks, whose
// coverage is asserted, and in every reachable state.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountOf, IS_EXPLORING, IS_NIGHT } from '../../../../test/support/effort.ts';
import { allOrNothing, BOUND, noCoverage, walk, WALKS } from '../../../../test/support/workflow-walks.ts';
import { BEGINNINGS, explore, longestRun } from '../../../../test/support/workflow-explore.ts';
import { stateIn } from '../../../../test/support/workflow.ts';
import { broken } from '../../../../test/support/workflow-invariants.ts';
import { entered, next, question, type TableState } from './next.ts';
import { resumed } from './resume.ts';
import { newCounters } from './counters.ts';
import { isV1 } from '../file/state.ts';
import { STAGE_NAMES } from './stages.ts';
import { STEPS } from '../file/run-options.ts';

const machine = { next, question };

describe('random walks', () => {
  const coverage = noCoverage();
  test('keep every invariant and limit, never pass a hard gate without an answer, and end', () => {
    fc.assert(
      fc.property(WALKS, (one) => walk(machine, one, coverage)),
      { numRuns: amountOf(4_000, 10_000, 30_000) },
    );
  }, 300_000);

  // What other seeds reach is no claim about the product.
  test.skipIf(IS_EXPLORING)('reach every stage often, and the deep corners', () => {
    const at = (map: ReadonlyMap<string, number>, key: string): number => map.get(key) ?? 0;
    const few = STAGE_NAMES.filter((stage) => at(coverage.stages, stage) < 30 && stage !== 'conventions');
    expect(few).toEqual([]);
    expect(coverage.longest).toBeGreaterThan(60);
    const corners = [
      'layer 1: fail → verify-gate',
      'layer 1: pass → verify-done',
      'patch: applied → reverify-ready',
      'patch: refused → verify-gate',
      'patch: empty → verify-gate',
      'auto-fix: stop → stopped',
      'auto-fix: reject → verify-gate',
      'verify: continue → session-end',
      'verify: continue → evaluate-ready',
      'verdict: pass → qa-gate',
      'verdict: fail → completed',
      'Layer 2 exhausted',
      'a third round',
    ];
    expect(corners.filter((corner) => at(coverage.events, corner) < 5)).toEqual([]);
    const reopened = [
      'planning none → spec-gate',
      'planning none → plan-ready',
      'generating none → verify-ready',
      'verify_done proposed → auto-fix-gate',
      'verify_done proposed → propose-fix',
      'verify_ready applied → reverify-ready',
      'verifying applied → reverify-ready',
      'verify_done stopped → verify-gate',
      'verify_done rejected → verify-gate',
      'verify_done none → evaluate-ready',
      'evaluating none → verdict',
      'evaluating none → evaluate-ready',
    ];
    expect(reopened.filter((way) => at(coverage.resumed, way) < 5)).toEqual([]);
  });
});

test('every reachable state keeps the invariants, wherever a run crashes and whichever documents exist then', () => {
  // A million states with named steps, which take about a minute; 13,000 without.
  const steps = IS_NIGHT ? [null, ...STEPS] : [null];
  const ways = [true, false].flatMap((all) => steps.map((step) => ({ facts: allOrNothing(all), step })));
  const again = (s: TableState): readonly TableState[] =>
    ways.flatMap(({ facts, step }) => {
      const found = resumed(s.file, facts, step);
      return typeof found === 'string' ? [] : [found.s];
    });
  const beginnings = BEGINNINGS.slice(0, 1);
  const states = explore(
    machine,
    beginnings,
    ({ file, at }, coverage) => {
      const claims = isV1(file) ? [] : broken(file);
      if (claims.length > 0) throw new Error(`in ${at.stage}: ${claims.join('; ')}`);
      if (coverage.length > 0 && coverage.every(({ after }) => after === null)) throw new Error(`${at.stage} is stuck`);
    },
    again,
  );
  expect(states).toBeGreaterThan(10_000);
}, 300_000);

test('no run is endless, and with three rounds the longest is within its bound', () => {
  // As many rounds and revisions as a file has by default: 800,000 states.
  const fresh = (max_rounds: number): TableState =>
    entered(
      stateIn('plan_ready', { mode: 'multi', conventions: null, max_rounds }),
      'conventions',
      newCounters('auto'),
    );
  const one = BEGINNINGS.map((s) => longestRun(machine, s));
  expect(Math.max(...one)).toBeLessThan(BOUND);
  if (IS_NIGHT) expect(longestRun(machine, fresh(3))).toBeLessThanOrEqual(BOUND);
  expect(longestRun(machine, fresh(1))).toBeGreaterThan(100);
}, 300_000);
