// One half of the scenarios of the grid of the workflow.
import { diesAtWorkflows } from './suite.ts';

diesAtWorkflows(0, 2);
