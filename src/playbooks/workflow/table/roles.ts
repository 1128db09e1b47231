// The roles of a workflow's sessions. Names alone: every command that reads a configuration loads them.
export const ROLES = [
  'convention-scanner',
  'planner',
  'architect',
  'senior-developer',
  'qa-specialist',
  'critic',
  'synthesis',
  'lead-developer',
  'combined-advisor',
  'code-quality-advisor',
  'test-stability-advisor',
  'generator',
  'verifier',
  'evaluator',
  'auto-fix-proposer',
] as const;
export type WorkflowRole = (typeof ROLES)[number];
