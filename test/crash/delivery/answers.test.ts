// The answer of a push is lost: at each of them a run dies when the remote has moved and nothing here says so.
import { expect, test } from 'vitest';
import { amountOf, IS_EXHAUSTIVE } from '../../support/effort.ts';
import { dieAndJudge } from '../quick/grid.ts';
import { judgeOf } from './holds.ts';
import { DELIVERIES } from './scenarios.ts';

/** The branch, the pull request, the result of its checks, the label, the merge, the move of the plan file. */
const PUSHES = 6;
/** The merge and the move; by night all. */
const TRIED = amountOf<readonly number[]>([], [5, 6], [1, 2, 3, 4, 5, 6]);

test.runIf(IS_EXHAUSTIVE)('of a plan to its merge each push is done once, whatever its answer', async () => {
  const [plain] = DELIVERIES;
  if (plain === undefined) throw new Error('there is a plan');
  let pushes = 0;
  const after = (_call: string, n: number, all: readonly string[]): boolean => {
    if (all[n - 1] !== 'effect git push') return false;
    pushes += 1;
    return TRIED.includes(pushes);
  };
  const { points, wrong } = await dieAndJudge(plain, { most: 0, doubles: 0, at: after }, judgeOf(plain));
  expect(wrong, wrong.join('\n')).toEqual([]);
  expect(pushes).toBe(PUSHES);
  expect(points).toBeGreaterThanOrEqual(2 * TRIED.length);
});
