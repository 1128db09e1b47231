// The grid of the workflow playbook.
import { diesThrough } from '../quick/suite.ts';
import { judgeOf } from './holds.ts';
import { WORKFLOWS } from './scenarios.ts';

export const diesAtWorkflows = (from: number, of: number): void =>
  diesThrough(
    {
      grid: 'the grid of the workflow',
      claim: 'what must hold does, wherever it died on the way',
      scenarios: WORKFLOWS,
      judgeOf,
      fast: [3, 1],
      ci: [12, 2],
      // A life of one is a second of work.
      sample: 3,
      promised: { scenarios: 38, deaths: 300 },
    },
    from,
    of,
  );
