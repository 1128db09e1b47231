// Each write of the list, of the copy beside it and of the log, as a moment to die in: what people read is never left in halves.
import { describe, expect, test } from 'vitest';
import { dieAndJudge } from '../quick/grid.ts';
import { judgeOf } from './holds.ts';
import { LIST, LOG } from './list.ts';
import { TASKS } from './scenarios.ts';

const NAMES = ['an attempt that fails, its cleanup, then work', 'steps of progress while it works'];
const isBook = (call: string): boolean => call.endsWith(LIST) || call.endsWith(`${LIST}.bak`) || call.endsWith(LOG);

describe('whoever dies while the books are written', () => {
  test.each(TASKS.filter(({ name }) => NAMES.includes(name)))('$name', async (scenario) => {
    const { points, wrong } = await dieAndJudge(scenario, { most: 0, doubles: 0, at: isBook }, judgeOf(scenario));
    expect(wrong).toEqual([]);
    expect(points).toBeGreaterThan(20);
  });
});
