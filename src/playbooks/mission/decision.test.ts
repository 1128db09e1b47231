// What comes next in a mission: exactly one decision in every state, and a checkpoint before everything.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, type MissionState } from './decision.ts';

const states: fc.Arbitrary<MissionState> = fc.record({
  next: fc.option(fc.constantFrom('F-001', 'F-002'), { nil: null }),
  remaining: fc.nat(3),
  isBusy: fc.boolean(),
  isUnclear: fc.boolean(),
  ungranted: fc.array(
    fc.record({
      name: fc.constantFrom('plan', 'end', 'other'),
      on: fc.constantFrom('post-planner' as const, 'pre-done' as const),
    }),
    { maxLength: 3 },
  ),
});
const state = (more: Partial<MissionState> = {}): MissionState => ({
  next: null,
  remaining: 0,
  isBusy: false,
  isUnclear: false,
  ungranted: [],
  ...more,
});
const PLAN = { name: 'plan', on: 'post-planner' } as const;
const END = { name: 'end', on: 'pre-done' } as const;

test('each state has one decision, and it depends on the state alone', () => {
  fc.assert(
    fc.property(states, (one) => {
      const decided = decide(one);
      expect(decide(structuredClone(one))).toEqual(decided);
      const isAskedFirst = one.ungranted.some(({ on }) => on === 'post-planner');
      expect(decided.decision === 'CHECKPOINT' && isAskedFirst).toBe(isAskedFirst);
      if ('feature' in decided) expect(decided.feature).toBe(one.next);
      if (decided.decision === 'DONE')
        expect([one.next, one.remaining, one.isBusy, one.ungranted]).toEqual([null, 0, false, []]);
      if (decided.decision === 'ESCALATE')
        expect([one.next, one.isBusy, one.remaining > 0]).toEqual([null, false, true]);
      if (decided.decision === 'WAIT') expect([one.next, one.isBusy]).toEqual([null, true]);
    }),
  );
});

describe('a mission', () => {
  test.each<[string, Partial<MissionState>, ReturnType<typeof decide>]>([
    [
      'with a checkpoint after the plan asks before a worker',
      { next: 'F-001', ungranted: [PLAN] },
      { decision: 'CHECKPOINT', name: 'plan' },
    ],
    [
      'that is busy asks it all the same',
      { isBusy: true, ungranted: [PLAN] },
      { decision: 'CHECKPOINT', name: 'plan' },
    ],
    [
      'with a checkpoint at its end works first',
      { next: 'F-001', ungranted: [END] },
      { decision: 'NEXT_WORKER', feature: 'F-001' },
    ],
    ['that is over asks at its end', { ungranted: [END] }, { decision: 'CHECKPOINT', name: 'end' }],
    [
      'with an unclear assertion gets an architect',
      { next: 'F-001', isUnclear: true },
      { decision: 'NEXT_ARCHITECT', feature: 'F-001' },
    ],
    ['in which nothing can start escalates', { remaining: 2 }, { decision: 'ESCALATE', why: 'nothing-ready' }],
    ['whose others are at work waits', { remaining: 2, isBusy: true }, { decision: 'WAIT' }],
    ['without anything left is done', {}, { decision: 'DONE' }],
  ])('%s', (_, more, decided) => {
    expect(decide(state(more))).toEqual(decided);
  });
});
