// One half of the scenarios of the grid of tasks.
import { diesThrough } from '../quick/dies.ts';
import { TASKS_GRID } from './suite.ts';

diesThrough(TASKS_GRID, 0, 2);
