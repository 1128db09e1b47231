// The grid of the tasks playbook.
import type { Plan } from '../quick/dies.ts';
import { judgeOf } from './holds.ts';
import { TASKS, type TaskScenario } from './scenarios.ts';

export const TASKS_GRID: Plan<TaskScenario, null> = {
  grid: 'the grid of tasks',
  claim: 'what must hold does, wherever it died on the way',
  scenarios: TASKS,
  judgeOf,
  fast: [2, 1],
  ci: [4, 1],
  sample: 3,
  inCi: 4,
  promised: { scenarios: 27, deaths: 24 },
};
