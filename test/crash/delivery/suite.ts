// The grid of the delivery playbook.
import type { Plan } from '../quick/dies.ts';
import { judgeOf } from './holds.ts';
import { DELIVERIES, type DeliveryScenario } from './scenarios.ts';

export const DELIVERY_GRID: Plan<DeliveryScenario, null> = {
  grid: 'the grid of deliveries',
  claim: 'one pull request and one merge, wherever it crashed on the way',
  scenarios: DELIVERIES,
  judgeOf,
  fast: [1, 0],
  ci: [3, 1],
  sample: 1,
  inCi: 1,
  promised: { scenarios: 10, deaths: 4 },
};
