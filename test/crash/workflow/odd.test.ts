// The other half of the scenarios of the grid of the workflow.
import { diesThrough } from '../quick/dies.ts';
import { WORKFLOW_GRID } from './suite.ts';

diesThrough(WORKFLOW_GRID, 1, 2);
