// One half of the scenarios of the grid of missions.
import { diesThrough } from '../quick/dies.ts';
import { MISSION_GRID } from './suite.ts';

diesThrough(MISSION_GRID, 0, 2);
