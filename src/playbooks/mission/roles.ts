// The roles of a mission: each is a process of its own, with a file in prompts/mission/.

/** They make the plan. */
export const PLAN_ROLES = ['planner', 'plan-reviewer'] as const;
/** They carry it out. */
export const ROLES = [
  'worker',
  'judge',
  'validator',
  'crosscheck',
  'ui-qa',
  'architect',
  'debugger',
  'documenter',
  'orchestrator',
  'curator',
] as const;
