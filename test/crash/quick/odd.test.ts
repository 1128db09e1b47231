// The other half of the scenarios of the quick grid.
import { diesThrough } from './dies.ts';
import { QUICK_GRID } from './suite.ts';

diesThrough(QUICK_GRID, 1, 2);
