// Of which form the state files of this playbook are.

export const STATE_SCHEMA_VERSION = 3;
/** The version of the reference whose state files these are. */
export const STATE_HARNESS_VERSION = '1.2.1';
