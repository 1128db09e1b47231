// The quick grid: every scenario comes to the same end.
import type { EndState } from '../end-state.ts';
import type { Plan } from './dies.ts';
import { SAME } from './grid.ts';
import { QUICK, type QuickScenario } from './scenarios.ts';

/** In CI about 40 deaths over 12 of them. */
export const QUICK_GRID: Plan<QuickScenario, EndState> = {
  grid: 'the quick grid',
  claim: 'the same end wherever it died on the way',
  scenarios: QUICK,
  judgeOf: () => SAME,
  fast: [4, 1],
  ci: [4, 1],
  sample: 2,
  inCi: 4,
  promised: { scenarios: 40, deaths: 24 },
};
