// The roles of a delivery: each is a process of its own, with a file in prompts/delivery/.

export const ROLES = ['implementer', 'reviewer', 'fixer', 'preparer', 'merge-checker', 'fidelity-checker'] as const;
