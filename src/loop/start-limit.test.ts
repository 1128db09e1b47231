import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import { openStartLimit } from './start-limit.ts';

/** Items that ask to start, the order in which they did, and the alarms that were set. */
function starts() {
  const alarms = new Map<() => void, number>();
  const limit = openStartLimit((ms, ring) => {
    alarms.set(ring, ms);
    return () => void alarms.delete(ring);
  });
  const started: string[] = [];
  const enter = (item: string, signal = new AbortController().signal) =>
    limit.enter(item, signal).then(() => started.push(item));
  const ring = (): void => {
    for (const [alarm] of [...alarms].slice(0, 1)) {
      alarms.delete(alarm);
      alarm();
    }
  };
  return { ...limit, alarms, started, enter, ring };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one item starts, and the next one when the agent of it is at work', async () => {
  const { enter, leave, started } = starts();
  for (const item of ['1', '2', '3']) void enter(item);
  await settled();
  expect(started).toEqual(['1']);
  leave('2');
  await settled();
  expect(started).toEqual(['1']);
  leave('1');
  await settled();
  expect(started).toEqual(['1', '2']);
  leave('1'); // again
  await settled();
  expect(started).toEqual(['1', '2']);
});

test('one that takes longer than a second holds up no other, and nothing is left of one that has started', async () => {
  const { enter, leave, started, alarms, ring } = starts();
  for (const item of ['1', '2', '3']) void enter(item);
  await settled();
  for (const count of [1, 2]) {
    expect([...alarms.values()]).toEqual([1_000]);
    ring();
    await settled();
    expect(started).toHaveLength(count + 1);
  }
  for (const item of started) leave(item);
  expect(alarms.size).toBe(0);
});

test('a run that stops waits for no start, and its items take no place', async () => {
  const { enter, leave, started, alarms } = starts();
  const stop = new AbortController();
  void enter('1');
  void enter('2', stop.signal);
  void enter('3');
  await settled();
  stop.abort();
  await settled();
  expect(started).toEqual(['1', '2']);
  expect(alarms.size).toBe(1);
  leave('1');
  await settled();
  expect(started).toEqual(['1', '2', '3']);
});

test('whatever items do, no more than one is starting, and all start in the end', async () => {
  const step = record({ does: constantFrom('enter', 'leave', 'ring'), n: integer({ min: 0, max: 5 }) });
  await assert(
    asyncProperty(array(step, { maxLength: 40 }), async (steps) => {
      const { enter, leave, started, alarms, ring } = starts();
      const asked = new Set<string>();
      for (const { does, n } of steps) {
        const item = String(n);
        if (does === 'enter' && !asked.has(item)) {
          asked.add(item);
          void enter(item);
        }
        if (does === 'leave' && started.includes(item)) leave(item);
        if (does === 'ring') ring();
        await settled();
        expect(alarms.size).toBeLessThanOrEqual(1);
      }
      for (let rounds = 0; started.length < asked.size && rounds < 10; rounds += 1) {
        ring();
        await settled();
      }
      expect([...started].toSorted((a, b) => Number(a) - Number(b))).toEqual(
        [...asked].toSorted((a, b) => Number(a) - Number(b)),
      );
    }),
  );
});
