// One half of the scenarios of the grid of tasks.
import { diesAtTasks } from './suite.ts';

diesAtTasks(0, 2);
