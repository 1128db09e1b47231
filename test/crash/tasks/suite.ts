// The grid of the tasks playbook.
import { diesThrough } from '../quick/suite.ts';
import { judgeOf } from './holds.ts';
import { TASKS } from './scenarios.ts';

export const diesAtTasks = (from: number, of: number): void =>
  diesThrough(
    {
      grid: 'the grid of tasks',
      claim: 'what must hold does, wherever it died on the way',
      scenarios: TASKS,
      judgeOf,
      fast: [4, 1],
      ci: [26, 4],
      sample: Infinity,
      promised: { scenarios: 27, deaths: 600 },
    },
    from,
    of,
  );
