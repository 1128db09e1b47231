// All the ways in which a workflow can go that the grid knows.
import { FOUND } from './found.ts';
import type { WorkflowScenario } from './scenario.ts';
import { TROUBLES } from './troubles.ts';
import { WAYS } from './ways.ts';

export const WORKFLOWS: readonly WorkflowScenario[] = [...WAYS, ...TROUBLES, ...FOUND];
