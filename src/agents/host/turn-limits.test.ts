import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkLimits, turnStarted, withEvent } from './turn-limits.ts';

const limits = { wallMs: 1000, idleMs: 100, outputBytes: 50 };

test('the next check is when the nearer limit is due', () => {
  expect(checkLimits(turnStarted(5), limits, 5)).toEqual({ over: null, nextMs: 100 });
  expect(checkLimits(withEvent(turnStarted(0), 950, 1), limits, 960)).toEqual({ over: null, nextMs: 40 });
});
test('silence for the idle time ends the turn, an event postpones it', () => {
  expect(checkLimits(turnStarted(0), limits, 100)).toEqual({ over: 'idle-limit' });
  expect(checkLimits(withEvent(turnStarted(0), 99, 1), limits, 100)).toMatchObject({ over: null });
});
test('the wall limit ends a turn however active it is', () => {
  expect(checkLimits(withEvent(turnStarted(0), 999, 1), limits, 1000)).toEqual({ over: 'wall-limit' });
});
test('output is counted over all events; exactly the limit is still allowed', () => {
  const at = withEvent(withEvent(turnStarted(0), 1, 25), 2, 25);
  expect(checkLimits(at, limits, 2)).toMatchObject({ over: null });
  expect(checkLimits(withEvent(at, 2, 1), limits, 2)).toEqual({ over: 'output-limit' });
});
test('a clock that is set back makes no turn idle', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1 }), (times) => {
      const turn = times.reduce((one, ms) => withEvent(one, ms, 0), turnStarted(0));
      expect(checkLimits(turn, { ...limits, wallMs: 10_000 }, Math.max(...times))).toMatchObject({ over: null });
    }),
  );
});
test('a check at the promised time finds an exceeded limit or a later time', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(2000), fc.nat(2000), (start, more, now) => {
      const turn = withEvent(turnStarted(start), start + more, 1);
      const first = checkLimits(turn, limits, now);
      expect(first.over ?? checkLimits(turn, limits, now + first.nextMs).over).not.toBeNull();
    }),
  );
});
