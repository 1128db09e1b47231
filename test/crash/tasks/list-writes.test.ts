// Each write of the list, of its backup copy and of the log as a point to crash at: what people read is never left half-written. `npm
// test` crashes at every fifth of these writes, CI at every other, the night at each.
import { describe, expect, test } from 'vitest';
import { amountOf } from '../../support/effort.ts';
import { dieAndJudge } from '../quick/grid.ts';
import { judgeOf } from './holds.ts';
import { LIST, LOG } from './list.ts';
import { TASKS } from './scenarios.ts';

const NAMES = ['an attempt that fails, its cleanup, then work', 'steps of progress while it works'];
const writesList = (call: string): boolean => call.endsWith(LIST) || call.endsWith(`${LIST}.bak`) || call.endsWith(LOG);

const STRIDE = amountOf(9, 4, 1);
const isPoint = (call: string, n: number, all: readonly string[]): boolean =>
  writesList(call) && all.slice(0, n).filter(writesList).length % STRIDE === 0;

describe('a crash while the list or the log is written', () => {
  test.each(TASKS.filter(({ name }) => NAMES.includes(name)))('$name', async (scenario) => {
    const { points, wrong } = await dieAndJudge(scenario, { most: 0, doubles: 0, at: isPoint }, judgeOf(scenario));
    expect(wrong).toEqual([]);
    expect(points).toBeGreaterThan(20 / STRIDE);
  });
});
