// The grid of the mission playbook.
import type { Plan } from '../quick/dies.ts';
import { judgeOf } from './holds.ts';
import { MISSIONS, type MissionScenario } from './scenarios.ts';

export const MISSION_GRID: Plan<MissionScenario, null> = {
  grid: 'the grid of missions',
  claim: 'what must hold does, wherever it crashed on the way',
  scenarios: MISSIONS,
  judgeOf,
  fast: [1, 0],
  ci: [3, 1],
  sample: 1,
  inCi: 3,
  promised: { scenarios: 14, deaths: 12 },
};
