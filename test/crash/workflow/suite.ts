// The grid of the workflow playbook.
import type { EndState } from '../end-state.ts';
import type { Plan } from '../quick/dies.ts';
import { judgeOf } from './holds.ts';
import type { WorkflowScenario } from './scenario.ts';
import { WORKFLOWS } from './scenarios.ts';

export const WORKFLOW_GRID: Plan<WorkflowScenario, EndState> = {
  grid: 'the grid of the workflow',
  claim: 'what must hold does, wherever it died on the way',
  scenarios: WORKFLOWS,
  judgeOf,
  fast: [3, 1],
  ci: [2, 1],
  // A run of one is a second of work.
  sample: 2,
  inCi: 4,
  promised: { scenarios: 38, deaths: 22 },
};
