// Names of runs.
import { expect, test } from 'vitest';
import type { Clock } from '../../host/clock.ts';
import { runName } from './run-name.ts';

test('names sort in the order in which the runs began, also within a second', () => {
  const from = Date.parse('2026-11-26T15:30:41.000Z');
  const at = (ms: number): Clock => ({ now: () => from + ms, iso: () => new Date(from + ms).toISOString() });
  const times = [0, 1, 9, 16, 255, 256, 999, 1_000, 61_000];
  const names = times.map((ms) => runName(at(ms), 'r'));
  expect([...names].sort()).toEqual(names);
  expect(names[3]).toMatch(/^r-20261126153041-010[0-9a-f]{4}$/);
});
