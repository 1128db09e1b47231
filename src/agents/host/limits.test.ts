import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, sawEvent, startWatch } from './limits.ts';

const limits = { wallMs: 1000, idleMs: 100, outputBytes: 50 };

test('a fresh turn is asked about again when the nearer limit is due', () => {
  expect(judge(startWatch(5), limits, 5)).toEqual({ over: null, nextMs: 100 });
  expect(judge(sawEvent(startWatch(0), 950, 1), limits, 960)).toEqual({ over: null, nextMs: 40 });
});
test('silence for the idle time ends the turn, an event puts it off', () => {
  expect(judge(startWatch(0), limits, 100)).toEqual({ over: 'idle-limit' });
  expect(judge(sawEvent(startWatch(0), 99, 1), limits, 100)).toMatchObject({ over: null });
});
test('the wall limit ends a turn however lively it is', () => {
  expect(judge(sawEvent(startWatch(0), 999, 1), limits, 1000)).toEqual({ over: 'wall-limit' });
});
test('output is counted over all events; exactly the limit is still allowed', () => {
  const at = sawEvent(sawEvent(startWatch(0), 1, 25), 2, 25);
  expect(judge(at, limits, 2)).toMatchObject({ over: null });
  expect(judge(sawEvent(at, 2, 1), limits, 2)).toEqual({ over: 'output-limit' });
});
test('a clock that goes back makes no turn idle', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1 }), (times) => {
      const watch = times.reduce((w, t) => sawEvent(w, t, 0), startWatch(0));
      expect(judge(watch, { ...limits, wallMs: 10_000 }, Math.max(...times))).toMatchObject({ over: null });
    }),
  );
});
test('asking again at the promised time always finds a limit broken or a later time', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(2000), fc.nat(2000), (start, more, now) => {
      const watch = sawEvent(startWatch(start), start + more, 1);
      const first = judge(watch, limits, now);
      expect(first.over ?? judge(watch, limits, now + first.nextMs).over).not.toBeNull();
    }),
  );
});
