// One half of the scenarios of the grid of deliveries.
import { diesThrough } from '../quick/dies.ts';
import { DELIVERY_GRID } from './suite.ts';

diesThrough(DELIVERY_GRID, 1, 2);
