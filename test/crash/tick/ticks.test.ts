// The grid of the daemon's look: it dies at its durable calls, and another daemon continues.
import { diesThrough } from '../quick/dies.ts';
import { judgeOf } from './holds.ts';
import { TICKS } from './scenarios.ts';

diesThrough(
  {
    grid: 'the grid of daemons',
    claim: 'each plan is merged and seen once, wherever the daemon died',
    scenarios: TICKS,
    judgeOf,
    fast: [2, 0],
    ci: [4, 1],
    sample: 2,
    inCi: 7,
    promised: { scenarios: 7, deaths: 20 },
  },
  0,
  1,
);
