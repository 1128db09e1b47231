// What the daemon does next, and what it remembers of what it did.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, looksDeep, type DeepSight, type Seen } from './decide.ts';
import { afterChild, delayedNow, EMPTY_RECORD, withMerges, type ChildEnd, type TickRecord } from './record.ts';

const NOW = 1_000_000;
const time = fc.integer({ min: 0, max: 2 * NOW });
const plan = fc.constantFrom('0001', '0002', '0003');
const deepSight: fc.Arbitrary<DeepSight> = fc.record({
  underWay: fc.option(plan),
  isStalled: fc.boolean(),
  next: fc.option(plan),
  isMoved: fc.constantFrom(true, false, null),
  isAsked: fc.boolean(),
  question: fc.option(fc.record({ gate: fc.constant('g-1'), isOutage: fc.boolean(), since: time })),
  retries: fc.record({ done: fc.nat(5), most: fc.nat(5), afterMs: fc.nat(NOW) }),
  delayedUntil: fc.option(time),
});
const seen: fc.Arbitrary<Seen> = fc.record({
  now: fc.constant(NOW),
  isOn: fc.boolean(),
  held: fc.constantFrom('frozen' as const, 'handed-off' as const, 'paused' as const, 'unfinished' as const, null),
  isLive: fc.boolean(),
  pollMs: fc.integer({ min: 1, max: NOW }),
  restUntil: time,
  fidelityDue: fc.boolean(),
  deep: fc.option(deepSight),
});
const always = (holds: (one: Seen) => void): void => fc.assert(fc.property(seen, holds));
const STARTS = ['run', 'look', 'check-fidelity'];

test('nothing starts beside a live run, while it is off or held, before an answer, or without the remote', () => {
  always((one) => {
    const { do: does } = decide(one);
    const { deep } = one;
    if (one.isLive) expect(does).toBe('attend');
    else if (!one.isOn || one.held !== null || deep === null) expect(does).toBe('wait');
    else if (deep.question !== null) expect(['wait', 'answer']).toContain(does);
    else if (deep.isMoved === null) expect(does).toBe('wait');
    if (STARTS.includes(does)) expect([one.isLive, one.isOn, one.held]).toEqual([false, true, null]);
  });
});

test('what can be worked on is worked on: work under way first, then what others pushed', () => {
  const open = { isLive: false, isOn: true, held: null };
  const property = fc.property(seen, deepSight, fc.boolean(), (other, sight, isMoved) => {
    const deep = { ...sight, isMoved, question: null };
    const { isAsked, underWay, isStalled, next } = deep;
    const one = { ...other, ...open, deep };
    const decision = decide(one);
    if (isStalled) expect(decision).toMatchObject({ do: 'wait', why: 'delayed' });
    else if (underWay !== null) expect(decision).toEqual({ do: 'run', plan: underWay });
    else if (isMoved || isAsked) expect(decision).toEqual({ do: 'look' });
    else if (one.fidelityDue) expect(decision).toEqual({ do: 'check-fidelity' });
    else if (next !== null) expect(decision).toEqual({ do: 'run', plan: next });
    else expect(decision.do).toBe('wait');
  });
  fc.assert(property);
});

test('a wait ends later than now, and no later than the next look at the remote where nothing else ends it', () => {
  always((one) => {
    const decision = decide(one);
    if (decision.do !== 'wait') return;
    const { until, why } = decision;
    if (until !== null) expect(until).toBeGreaterThan(NOW);
    if (['unreachable', 'delayed', 'nothing-ready'].includes(why)) expect(until).toBeLessThanOrEqual(NOW + one.pollMs);
    // What only a user ends waits for the user.
    if (['off', 'paused', 'frozen', 'handed-off', 'question'].includes(why)) expect(until).toBeNull();
  });
});

test('an agent that was not available is answered for only so often, and not before its time', () => {
  always((one) => {
    const decision = decide(one);
    if (decision.do !== 'answer') return;
    const { question, retries } = one.deep ?? {};
    expect(question?.isOutage).toBe(true);
    expect((question?.since ?? 0) + (retries?.afterMs ?? 0)).toBeLessThanOrEqual(NOW);
    expect(retries?.done).toBeLessThan(retries?.most ?? 0);
  });
});

test('the repository is read only where something may start', () => {
  always((one) => {
    if (looksDeep(one)) expect([one.isLive, one.isOn, one.held]).toEqual([false, true, null]);
  });
});

const end: fc.Arbitrary<ChildEnd> = fc.oneof(
  fc.record({
    how: fc.constant('verdict' as const),
    result: fc.constantFrom('landed', 'gate', 'limit', 'blocked', 'paused', 'done', 'failed'),
    reason: fc.constantFrom('git-failed', 'agent-refused', 'nothing-ready', 'stopped', 'x'),
    gates: fc.subarray(['g-1']),
    landed: fc.subarray(['0001']),
  }),
  fc.record({ how: fc.constant('refused' as const), reason: fc.constantFrom('locked', 'frozen', 'config-invalid') }),
  fc.constant({ how: 'died' as const }),
);
const started = (kind: 'run' | 'look' | 'fidelity', record = EMPTY_RECORD): TickRecord => ({
  ...record,
  active: { kind, plan: kind === 'run' ? '0001' : null, since: '', log: '', run: 'r-1', pid: 1, tip: null },
});
const about = { now: NOW, isOfPlanAlone: (reason: string) => reason === 'agent-refused', tip: 'abc' };

test('a run that gets nowhere is not repeated at once, and is repeated at last', () => {
  fc.assert(
    fc.property(fc.array(end, { minLength: 1, maxLength: 30 }), (ends) => {
      let record = EMPTY_RECORD;
      let now = NOW;
      for (const one of ends) {
        record = afterChild(started('run', record), one, { ...about, now });
        expect(record.active).toBeNull();
        const delays = [...Object.values(record.delayed), ...(record.rest === null ? [] : [record.rest])];
        for (const { until } of delays) expect(Date.parse(until) - now).toBeLessThanOrEqual(15 * 60_000);
        const gotSomewhere = one.how === 'verdict' && one.landed.length > 0;
        const isDecided = one.how === 'refused' && ['locked', 'frozen'].includes(one.reason);
        if (!gotSomewhere && !isDecided) expect(delays.some(({ until }) => Date.parse(until) > now)).toBe(true);
        now += 20 * 60_000;
      }
    }),
  );
});

test('the trouble of one plan delays no other; that of the environment delays all', () => {
  const own = afterChild(started('run'), verdict('blocked', 'agent-refused'), about);
  expect([Object.keys(own.delayed), own.rest]).toEqual([['0001'], null]);
  expect(delayedNow(own, NOW, 0).plans).toEqual(['0001']);
  expect(delayedNow(own, NOW, NOW + 1).plans).toEqual([]);
  const all = afterChild(started('run'), verdict('blocked', 'git-failed'), about);
  expect([all.delayed, all.rest?.why, all.rest?.tip]).toEqual([{}, 'git-failed', 'abc']);
  expect(Object.keys(afterChild(started('run'), { how: 'died' }, about).delayed)).toEqual(['0001']);
});
const verdict = (result: string, reason: string, landed: readonly string[] = []): ChildEnd => ({
  how: 'verdict',
  result,
  reason,
  gates: [],
  landed,
});

test('a merge is seen once, with who made it; merges of before the daemon are none', () => {
  const first = withMerges(EMPTY_RECORD, ['0001'], NOW);
  expect(first).toMatchObject({ history: [], sinceFidelity: 0 });
  const delivered = afterChild(started('run', first), verdict('limit', 'max-items', ['0002']), about);
  const after = withMerges(delivered, ['0001', '0002', '0003'], NOW);
  expect(after.history.filter(({ event }) => event === 'merged')).toMatchObject([
    { plan: '0002', by: 'harness' },
    { plan: '0003', by: 'others' },
  ]);
  expect(after.sinceFidelity).toBe(2);
  expect(withMerges(after, ['0001', '0002', '0003'], NOW)).toEqual(after);
});
