// The schema of the configuration with the test runners, roles and playbooks of this program.
import { configSchemaFor } from '../../model/config/schema.ts';
import { pairsWhere, PLAYBOOKS, SUPPORTED_PAIRS } from '../../playbooks/registry.ts';
import { RUNNER_NAMES } from '../../verify/runners/all.ts';

/** A role's name is unique within its playbook. */
export const ROLES: readonly string[] = PLAYBOOKS.flatMap(({ roles }) => roles);

/** Roles of planned playbooks. */
export const PLANNED_ROLES: readonly string[] = (
  'implementer reviewer fixer preparer merge-checker ui-reviewer fidelity-checker site-reverser ' +
  'plan-reviewer orchestrator worker validator crosscheck ui-qa debugger curator documenter'
).split(' ');

export const configSchema = configSchemaFor({
  runners: RUNNER_NAMES,
  roles: ROLES,
  planned: PLANNED_ROLES,
  playbooks: {
    supported: SUPPORTED_PAIRS,
    recovering: pairsWhere(({ machine }) => machine.hasRecoveryTables === true),
  },
});
