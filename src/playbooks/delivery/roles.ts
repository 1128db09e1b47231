// The roles of a delivery: each is a process of its own, with a file in prompts/delivery/.

export const ROLES = [
  'implementer',
  'reviewer',
  'ui-reviewer',
  'fixer',
  'preparer',
  'merge-checker',
  'fidelity-checker',
] as const;
/** Of the session that makes plans from a specification, and of the one that makes a specification from a site. */
export const PLAN_ROLES = ['planner'] as const;
export const SITE_ROLES = ['site-reverser'] as const;
