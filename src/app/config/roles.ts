// The role names a person may give an agent or a model to, by playbook. A name is unique within its playbook.
import { ROLES as WORKFLOW_ROLES } from '../../playbooks/workflow/table/roles.ts';

const FEATURE_ROLES = ['initializer', 'coding', 'continuation', 'cleanup'] as const;
const TASK_ROLES = ['executor'] as const;
const ROLES = [...FEATURE_ROLES, ...TASK_ROLES, ...WORKFLOW_ROLES] as const;

/** Roles of playbooks that are not there yet: a file may prepare them. */
export const LATER_ROLES = (
  'implementer reviewer fixer preparer merge-checker ui-reviewer fidelity-checker site-reverser ' +
  'plan-reviewer orchestrator worker validator crosscheck ui-qa debugger curator documenter'
).split(' ');

export const ALL_ROLES: readonly string[] = [...ROLES, ...LATER_ROLES];

/** A map with one entry per role. Typed by the roles of today: the others are read as what they are, by name. */
export function forEachRole<T>(entry: T): { [role in (typeof ROLES)[number]]: T } {
  return Object.fromEntries(ALL_ROLES.map((role) => [role, entry])) as {
    [role in (typeof ROLES)[number]]: T;
  };
}
